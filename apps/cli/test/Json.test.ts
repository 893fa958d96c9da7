import { describe, expect, it } from "vitest"
import * as Json from "../src/output/Json.js"

describe("JSON", () => {
  it("finds characters that a terminal may interpret or hide", () => {
    expect(["text", "a\tb\nc", "☁️"].filter(Json.isActive)).toEqual([])
    expect(["\u0007", "a\u001b", "\u200bb", "a\u0085"].every(Json.isActive)).toBe(true)
  })

  it("escapes for YAML in eight digits", () => {
    expect(Json.escape("a\u{e0041}\u009b", Json.inYaml)).toBe(String.raw`a\U000e0041\u009b`)
  })

  it("throws errors that nesting does not cause", () => {
    expect(() => Json.line(1n)).toThrow(TypeError)
  })

  it.each([
    [{ a: "x", b: [1] }, "a=x, b=[1]"],
    ["x", "x"],
    [[1], "[1]"],
    [null, ""],
  ])("prints a map on one line: %j", (value, text) => {
    expect(Json.pairs(value, "=")).toBe(text)
  })
})
