import { describe, expect, it } from "vitest"
import * as Json from "../../src/output/Json.js"

describe("JSON", () => {
  it("throws errors that nesting does not cause", () => {
    expect(() => Json.line(1n)).toThrow(TypeError)
  })
})
