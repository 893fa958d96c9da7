/** Secrets in texts of services, however they are written. */
import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { redactText } from "../src/internal/redactText.js"

const token = "eyJhbGciOi.Tok+en/1234567890=="
const redact = (text: string, secret = token) => redactText(text, [secret], 5_000)

const percent = (text: string) =>
  Array.from(text, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, "0")}`).join("")
const entities = (text: string) => Array.from(text, (char) => `&#${char.charCodeAt(0)};`).join("")
const hexEntities = (text: string) => Array.from(text, (char) => `&#x${char.charCodeAt(0).toString(16)};`).join("")
const json = (text: string) =>
  Array.from(text, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")
const within = (text: string, inside: string) => Array.from(text).join(inside)

describe("a secret is removed from a text", () => {
  it.each([
    ["as it is", token],
    ["in lower case", token.toLowerCase()],
    ["in upper case", token.toUpperCase()],
    ["with percent-escapes", encodeURIComponent(token)],
    ["with percent-escapes in lower case", encodeURIComponent(token).toLowerCase()],
    ["with every character percent-escaped", percent(token)],
    ["with percent-escapes that are escaped again", encodeURIComponent(percent(token))],
    ["with decimal HTML escapes", entities(token)],
    ["with hexadecimal HTML escapes", hexEntities(token)],
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
  ])("%s", (_, written) => {
    expect(redact(`before ${written}, after`)).toBe("before <redacted>, after")
  })

  it.each([20, 21, 22])("in base64, of %i characters", (length) => {
    const secret = "tok-1234567890abcdefghij".slice(0, length)
    for (const written of [btoa(secret), btoa(secret).replaceAll("=", "")])
      expect(redact(`before ${written}, after`, secret)).toBe("before <redacted>, after")
  })

  it.each([1, 2, 3, 4, 5])("in base64 of a longer text, which begins %i bytes before it", (before) => {
    const text = redact(btoa(`${"u".repeat(before)}${token}, more`))
    expect(text).toContain("<redacted>")
    // What is left are the characters that the secret shares with its neighbours.
    expect(text.replace("<redacted>", "").length).toBeLessThan(26)
  })

  it.each(["%", "&#", "\\u", "\\", "%4", "&#x4"])("behind a broken escape, %s", (before) => {
    for (const secret of ["41abcdefgh", "0041;bcdefgh", token]) {
      expect(redact(`${before}${secret}`, secret)).not.toContain(secret.slice(1))
    }
  })

  it("if it has characters outside ASCII", () => {
    const secret = "pässwörd-1234"
    for (const written of [secret, encodeURIComponent(secret), json(secret), entities(secret)])
      expect(redact(`x ${written} y`, secret)).toBe("x <redacted> y")
  })

  it("if it has half a character", () => {
    expect(redact("x abcd\ud800efgh y", "abcd\ud800efgh")).toBe("x <redacted> y")
  })

  it("and nothing else is", () => {
    const text = "The %zz key &amp; 100% of &#999999999; C:\\users\\u12 are not it: eyJhbGciOi, 1234567890."
    expect(redact(text)).toBe(text)
  })

  it("wherever it stands, in any mixture of escapes", () => {
    const writers = [(char: string) => char, percent, entities, hexEntities, json, (char: string) => `${char}\u200b`]
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.nat(writers.length - 1), { minLength: token.length, maxLength: token.length }),
        FastCheck.string({ maxLength: 20 }),
        (picks, around) => {
          const written = picks.map((pick, index) => writers[pick]?.(token.charAt(index)) ?? "").join("")
          expect(redact(`${around} ${written} ${around}`)).toContain("<redacted>")
        },
      ),
    )
  })

  it.each(["%", "&", "&#", "\\", "\\u", "\u200b", "$skipToken=", "eyJ", "http://"])(
    "of 200,000 characters that are all %j",
    (unit) => {
      expect(redact(unit.repeat(200_000 / unit.length))).not.toContain(token)
    },
  )
})
