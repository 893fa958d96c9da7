/** Secrets of any size and alphabet, and the ways in which a service repeats them. */
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

export const alphabets = {
  letters,
  base64: `${letters}0123456789+/`,
  cyrillic: "абвгдежзийклмнопрстуфхцчшщъыьэюяАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ",
  others: "µßıİςΣſKÅﬁ漢字かな한글🔥𐐨𐐀",
  halves: "abcdefghij\ud800\udc00\udbff\udfff",
  symbols: "$^*+?.()|[]{}\\/%&#=<>\"' \n\t\u0000-_,;:!@~`",
}

/** As many characters as needed from an alphabet, at random, then the same again. */
export const write = (alphabet: string, seed: number, size: number): string => {
  const characters = Array.from(alphabet)
  let state = seed
  const unit = Array.from({ length: Math.min(size, 2_000) }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return characters[(state >>> 8) % characters.length]
  }).join("")
  return unit.repeat(Math.ceil(size / unit.length)).slice(0, size)
}

const pem = (seed: number, size: number): string =>
  `-----BEGIN PRIVATE KEY-----\n${write(alphabets.base64, seed, size).replaceAll(/.{64}/g, "$&\n")}`

/** What a secret may look like. */
export const kinds: ReadonlyArray<(seed: number, size: number) => string> = [
  ...Object.values(alphabets).map((alphabet) => (seed: number, size: number) => write(alphabet, seed, size)),
  (seed, size) => pem(seed, size).slice(0, size),
  (seed, size) => JSON.stringify({ type: "service_account", private_key: pem(seed, size) }).slice(0, size),
]

export const hex = (text: string) => Buffer.from(text).toString("hex")
const units = (text: string, unit: (code: string) => string) =>
  text.replaceAll(/[^]/g, (character) => unit(character.charCodeAt(0).toString(16).padStart(4, "0")))

/** How a service repeats a secret. */
export const writers: ReadonlyArray<(text: string) => string> = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => encodeURIComponent(text.toWellFormed()),
  (text) => hex(text).replaceAll(/../g, "%$&"),
  (text) => hex(text).replaceAll(/../g, String.raw`\x$&`),
  (text) => hex(text),
  (text) => hex(text).toUpperCase().replaceAll(/../g, "$&:"),
  (text) => Buffer.from(text).toString("base64"),
  (text) => Buffer.from(`a${text}`).toString("base64url"),
  (text) => JSON.stringify(text),
  (text) => JSON.stringify(JSON.stringify(text)),
  (text) => units(text, (code) => `\\u${code}`),
  (text) => Array.from(text.toWellFormed(), (one) => `&#${one.codePointAt(0) ?? 0};`).join(""),
  (text) => Array.from(text.toWellFormed(), (one) => `&#x${one.codePointAt(0)?.toString(16)};`).join(""),
]
