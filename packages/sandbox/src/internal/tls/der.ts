/** As much of DER (ITU-T X.690) as a certificate is written with. */

/** A value: its tag, the length of what it holds, and that. */
const value = (tag: number, content: Uint8Array): Buffer => {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

/** A number that is not negative, as its bytes: the first bit is a sign, and no zeros lead. */
export const integer = (bytes: Uint8Array): Buffer => {
  const from = bytes.findIndex((byte) => byte !== 0)
  const digits = from === -1 ? Buffer.from([0]) : Buffer.from(bytes.subarray(from))
  return value(0x02, (digits[0] ?? 0) < 0x80 ? digits : Buffer.concat([Buffer.from([0]), digits]))
}

/** The bits of whole bytes. */
export const bits = (bytes: Uint8Array, unused = 0): Buffer =>
  value(0x03, Buffer.concat([Buffer.from([unused]), bytes]))

/** Bytes. */
export const octets = (bytes: Uint8Array): Buffer => value(0x04, bytes)

/** True: false is what is not written. */
export const yes: Buffer = value(0x01, Buffer.from([0xff]))

/** The digits of a number to the base 128, all but the last marked. */
const base128 = (number: number, rest: ReadonlyArray<number> = []): ReadonlyArray<number> => {
  const digits = [(number & 0x7f) | (rest.length === 0 ? 0 : 0x80), ...rest]
  return number < 0x80 ? digits : base128(number >> 7, digits)
}

/** An object identifier, such as `2.5.4.3`. */
export const identifier = (dotted: string): Buffer => {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number)
  return value(0x06, Buffer.from([first * 40 + second, ...rest.flatMap((arc) => base128(arc))]))
}

/** A text. */
export const text = (content: string): Buffer => value(0x0c, Buffer.from(content))

/** An instant (milliseconds since 1970) to the second: its year in two digits until 2049, in four from then on (RFC 5280, 4.1.2.5). */
export const time = (at: number): Buffer => {
  const digits = new Date(at).toISOString().replace(/\.\d+|[-:T]/g, "")
  return digits < "2050" ? value(0x17, Buffer.from(digits.slice(2))) : value(0x18, Buffer.from(digits))
}

/** Some values, in their order. */
export const sequence = (...values: ReadonlyArray<Uint8Array>): Buffer => value(0x30, Buffer.concat(values))

/** Some values without an order. */
export const set = (...values: ReadonlyArray<Uint8Array>): Buffer => value(0x31, Buffer.concat(values))

/** A value known by its number in what it is a part of: another value in it, or, `plain`, bytes. */
export const tagged = (number: number, content: Uint8Array, form: "value" | "plain"): Buffer =>
  value((form === "value" ? 0xa0 : 0x80) | number, content)
