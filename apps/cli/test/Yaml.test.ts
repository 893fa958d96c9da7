import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import * as Yaml from "../src/output/Yaml.js"

describe("YAML", () => {
  it.each([
    ["1.1", "yes"],
    ["1.1", "OFF"],
    ["1.1", "12:30:45"],
    ["1.1", "2026-03-10"],
    ["1.1", "1_000"],
    ["1.2", "true"],
    ["1.2", "0x1f"],
    ["1.2", "~"],
  ] as const)("is read back as a string by a version %s parser: %s", (version, text) => {
    const lines = Yaml.lines({ [text]: text }) ?? []
    expect(parse(lines.join("\n"), { version })).toEqual({ [text]: text })
  })

  it("repeats an equal value, instead of an alias", () => {
    const shared = { id: "a" }
    expect(Yaml.lines([shared, shared])).toEqual(["- id: a", "- id: a"])
  })

  it("does not wrap long texts, and quotes only those that need it", () => {
    const long = "word ".repeat(40).trim()
    expect(Yaml.lines([long, "a\u0007b"])).toEqual([`- ${long}`, String.raw`- "a\ab"`])
  })
})
