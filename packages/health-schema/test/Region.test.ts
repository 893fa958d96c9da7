import { Region } from "@vigil/health-schema"
import { describe, expect, it } from "vitest"

describe("Region.equals", () => {
  it.each([
    ["West Europe", "westeurope"],
    ["West Europe", "west-europe"],
    ["WEST  EUROPE", " West Europe "],
    ["Global", "global"],
  ])("compares %j and %j without regard to case, spaces and dashes", (one, other) => {
    expect(Region.equals(one, other)).toBe(true)
    expect(Region.equals(other, one)).toBe(true)
  })

  it.each([
    ["West Europe", "West Europe 2"],
    ["West Europe", "Global"],
    ["", "West Europe"],
    [null, "West Europe"],
    [undefined, "West Europe"],
    [null, ""],
  ])("distinguishes %j and %j", (one, other) => {
    expect(Region.equals(one, other)).toBe(false)
  })
})
