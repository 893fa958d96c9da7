import * as CodePoint from "@vigil/testing/CodePoint"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as SafeText from "@vigil/health-text/SafeText"

it.each([
  ["line breaks", "a\r\n b\rc\u2028d\u0085", "a\n b\nc\nd", "a b c d"],
  ["control characters and tabs", "a\u0007b\tc", "a b c", "a b c"],
  ["bidi controls", "a\u202eb\u2066c\u200ed", "abcd", "abcd"],
  ["invisible characters", "a\u200bb\u{e0041}c\u00add\u3164", "abcd", "abcd"],
  ["the joiners of an emoji", "👩\u200d🚀 ❤\ufe0f", "👩\u200d🚀 ❤\ufe0f", "👩\u200d🚀 ❤\ufe0f"],
  ["an unpaired surrogate", "a\ud800b", "a\ufffdb", "a\ufffdb"],
])("makes a text with %s safe, in lines and in one line", (_, text, lines, line) => {
  expect([SafeText.lines(text), SafeText.line(text)]).toEqual([lines, line])
})

describe("a text is cut", () => {
  it.each([
    ["abc", 3, "abc", "abc"],
    ["abcd", 3, "abc", "ab…"],
    ["ab👩\u200d🚀", 6, "ab", "ab…"],
    ["ae\u0301e\u0301", 4, "ae\u0301", "ae\u0301…"],
    ["", 0, "", ""],
    ["a", 0, "", "…"],
  ])("%j after whole characters in %i code units", (text, length, head, cut) => {
    expect([SafeText.head(text, length), SafeText.cut(text, length)]).toEqual([head, cut])
  })

  it("within a character of over 64 code units, but not within a surrogate pair", () => {
    const flag = `\u{1f3f4}${"\u{e0067}".repeat(100)}`
    expect(SafeText.head(`a${flag}`, 101)).toBe(`a${flag}`.slice(0, 37))
    expect(SafeText.head(flag, 101)).toBe(flag.slice(0, 36))
  })

  it("into pieces that are the whole text", () => {
    fc.assert(
      fc.property(fc.string({ unit: CodePoint.arbitrary, maxLength: 300 }), (text) => {
        const pieces: Array<string> = []
        for (let left = text; left !== ""; left = left.slice(pieces.at(-1)?.length))
          pieces.push(SafeText.head(left, 80))
        expect(pieces.join("")).toBe(text)
      }),
    )
  })
})
