import { expect, it } from "vitest"
import { pairs } from "../src/internal/contents.js"

it.each([
  [{ a: "x", b: [1] }, "a=x, b=[1]"],
  ["x", "x"],
  [[1], "[1]"],
  [null, ""],
])("a map is one line: %j", (value, text) => {
  expect(pairs(value)).toBe(text)
})
