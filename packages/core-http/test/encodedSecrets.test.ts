/** Error messages of a service that contain the encoded token. */
import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder } from "@vigil/core-http"
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"
import * as Redacted from "effect/Redacted"
import { clientOf, fake, outcome, property } from "./fake.js"

const token = "eyJhbGciOi.Tok+en/1234567890=="

/** The `detail` of the error of a request, for an error response with this message. */
const redactMessage = (message: string, secret = token) =>
  Effect.gen(function* () {
    const server = fake(() => Response.json({ error: { code: "Bad", message } }, { status: 400 }))
    const service = yield* clientOf(server, { credential: Credential.header("x-token", Redacted.make(secret)) })
    const url = service.url("/thing")
    const { error } = yield* outcome(service.get({ operation: "Thing.get", url, decode: Decoder.ignore }))
    return error?._tag === "ServiceError" ? error.detail : undefined
  }).pipe(Effect.scoped)

const each = (text: string, write: (code: number) => string) =>
  Array.from(text, (char) => write(char.charCodeAt(0))).join("")
const percent = (text: string) => each(text, (code) => `%${code.toString(16).padStart(2, "0")}`)
const decimal = (text: string) => each(text, (code) => `&#${code};`)
const hexadecimal = (text: string) => each(text, (code) => `&#x${code.toString(16)};`)
const json = (text: string) => each(text, (code) => `\\u${code.toString(16).padStart(4, "0")}`)
const within = (text: string, inside: string) => Array.from(text).join(inside)

describe("a message of the service", () => {
  it.effect.each([
    token,
    token.toLowerCase(),
    token.toUpperCase(),
    encodeURIComponent(token),
    encodeURIComponent(token).toLowerCase(),
  ])("keeps the text around the token: %s", (written) =>
    Effect.gen(function* () {
      expect(yield* redactMessage(`before ${written}, after`)).toBe("before <redacted>, after")
    }),
  )

  const encoded: ReadonlyArray<readonly [name: string, written: string]> = [
    ["with every character percent-encoded", percent(token)],
    ["percent-encoded twice", encodeURIComponent(percent(token))],
    ["with decimal HTML escapes", decimal(token)],
    ["with hexadecimal HTML escapes", hexadecimal(token)],
    ["with named HTML escapes", token.replaceAll("+", "&plus;").replaceAll("=", "&equals;").replaceAll("/", "&sol;")],
    ["with JSON escapes", json(token)],
    ["with escaped slashes", token.replaceAll("/", "\\/")],
    ["with line breaks inside", within(token, "\r\n  ")],
    ["with escaped line breaks inside", within(token, "\\n")],
    ["with zero-width characters inside", within(token, "\u200b\u00ad\ufeff\u034f\u{e0041}")],
    ["with direction marks inside", within(token, "\u202e")],
    ["in base64", btoa(token)],
    ["in base64 for URLs", btoa(token).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")],
    ["in base64 in lines", within(btoa(token), "\n")],
    ["in base64 that is percent-encoded", encodeURIComponent(btoa(token))],
    ["in base64, 1 byte from its start", btoa(`u${token}`)],
    ["in base64, 2 bytes from its start", btoa(`uu${token}`)],
    ["in base64 in the middle of a text", btoa(`uuuu${token}, more`)],
  ]

  it.effect.each(encoded)("is redacted as a whole if it contains the token %s", ([, written]) =>
    Effect.gen(function* () {
      expect(yield* redactMessage(`before ${written}, after`)).toBe("<redacted>")
    }),
  )

  it.effect("is kept if it does not contain the token", () =>
    Effect.gen(function* () {
      const text = "The %zz key &amp; 100% of &#999999999; C:\\users\\u12 are not it: eyJhbGciOi, 1234567890."
      expect(yield* redactMessage(text)).toBe(text)
    }),
  )

  const writers = [(char: string) => char, percent, decimal, hexadecimal, json, (char: string) => `${char}\u200b`]
  const choices = FastCheck.array(FastCheck.nat(writers.length - 1), {
    minLength: token.length,
    maxLength: token.length,
  })
  it.effect("is redacted if it contains the token in any mixture of escapes", () =>
    property(choices, (choices) =>
      Effect.gen(function* () {
        const written = choices.map((choice, index) => writers[choice]?.(token.charAt(index)) ?? "").join("")
        expect(yield* redactMessage(`before ${written} after`)).toContain("<redacted>")
      }),
    ),
  )

  it.effect.each(["%", "&", "&#", "\\", "\\u", "\u200b", "$skipToken=", "eyJ", "http://"])(
    "can repeat %j up to 20,000 characters",
    (unit) =>
      Effect.gen(function* () {
        expect(yield* redactMessage(unit.repeat(20_000 / unit.length))).not.toContain(token)
      }),
  )
})
