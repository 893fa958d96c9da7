import { describe, expect, it } from "vitest"
import * as Json from "../src/output/Json.js"

describe("JSON", () => {
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
