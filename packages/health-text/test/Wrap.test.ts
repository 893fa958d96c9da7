import stringWidth from "fast-string-width"
import * as CodePoint from "@vigil/testing/CodePoint"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Wrap from "@vigil/health-text/Wrap"

describe("a long text", () => {
  it.each([
    ["one two three four", 14, "", ["one two three", "four"]],
    ["one two three four", undefined, "  ", ["  one two three four"]],
    ["- one two three", 12, "", ["- one two", "  three"]],
    ["  - one two three", 16, "", ["  - one two", "    three"]],
    ["one\r\ntwo\n\n\n\nthree\u2028four", 20, " ", [" one", " two", "", " three", " four"]],
    ["\n\none\n\n", 20, "", ["one"]],
    ["漢字漢字漢字漢字", 12, "", ["漢字漢字漢字", "漢字"]],
    ["see https://a.example/very/long/path now", 12, "", ["see", "https://a.example/very/long/path", "now"]],
    ["one\rtwo\vthree\ffour\u0085five", undefined, "", ["one", "two", "three", "four", "five"]],
    ["aaaaaaaaaaaaaaaa", 12, "", ["aaaaaaaaaaaa", "aaaa"]],
    [" \n\u200b\n", 20, "  ", []],
  ] as const)("%j is wrapped to %s cells", (text, width, indent, lines) => {
    expect(Wrap.lines(text, width, indent)).toEqual(lines)
  })

  it("is cut after 100,000 characters on a terminal only", () => {
    const text = "a b ".repeat(25_001).trim()
    expect(Wrap.lines(text, undefined)).toEqual([text])
    expect(Wrap.lines(text, 80).join(" ")).toBe(`${text.slice(0, 99_999)}…`)
  })

  it("fits every width, and has no control characters", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: CodePoint.arbitrary, maxLength: 300 }),
        fc.integer({ min: 16, max: 80 }),
        fc.constantFrom("", "  "),
        (text, width, indent) => {
          const lines = Wrap.lines(text, width, indent)
          for (const line of lines) {
            if (!line.includes("http")) expect(stringWidth(line)).toBeLessThanOrEqual(width)
            expect(line).not.toMatch(/\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]|\p{Cs}/u)
          }
        },
      ),
    )
  })
})

describe("a cell", () => {
  it.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "ab…"],
    ["漢字", 4, "漢字"],
    ["漢字漢", 5, "漢字…"],
    ["e\u0301e\u0301", 2, "e\u0301e\u0301"],
  ])("%s has at most %i cells", (text, width, expected) => {
    expect(Wrap.cut(text, width)).toBe(expected)
  })
})
