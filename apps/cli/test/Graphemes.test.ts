import { describe, expect, it } from "vitest"
import * as Graphemes from "../src/output/Graphemes.js"

describe("characters", () => {
  // Around multiples of the chunk length.
  it.each([0, 1, 254, 255, 256, 257, 511, 512])("are not split after %i letters", (length) => {
    const letters = Array.from({ length }, () => "a")
    const family = "👨‍👩‍👧"
    expect(Array.from(Graphemes.split(`${letters.join("")}${family}e\u0301b`))).toEqual([
      ...letters,
      family,
      "e\u0301",
      "b",
    ])
  })

  it("have a width in cells", () => {
    expect(["", "abc", "漢", "👨‍👩‍👧", "e\u0301", "a漢"].map(Graphemes.width)).toEqual([0, 3, 2, 2, 1, 3])
  })
})

describe("a truncated text", () => {
  it.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "abc…"],
    ["a😀b", 2, "a…"],
    ["a😀b", 3, "a😀…"],
    ["😀ab", 3, "😀a…"],
  ])("contains no unpaired surrogate: %s at %i code units", (text, length, expected) => {
    expect(Graphemes.truncate(text, length)).toBe(expected)
  })
})
