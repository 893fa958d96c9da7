import { describe, expect, it } from "vitest"
import * as Suggestion from "../src/Suggestion.js"

describe("suggestions", () => {
  it.each([
    ["west", ["West Europe", "North West", "East US"], ["West Europe", "North West"]],
    ["we", ["West Europe", "Tower"], ["West Europe"]],
    ["WEST-europe", ["West Europe"], ["West Europe"]],
    ["e", ["e1", "e2", "e3", "e4"], ["e1", "e2", "e3"]],
  ])("for %s in %j are the names that contain it, at most three", (typed, names, nearest) => {
    expect(Suggestion.nearest(typed, names)).toEqual(nearest)
  })

  it.each([
    ["ztatus", ["statistics", "status"], ["status"]],
    ["statos", ["statue", "status"], ["status", "statue"]],
    ["Pord", ["Test", "Prod"], ["Prod"]],
    ["istl", ["list"], []],
    ["uno", ["on"], []],
  ])(
    "for %s in %j differ in at most a third of the letters, nearest first, where a swapped pair is one",
    (typed, names, nearest) => {
      expect(Suggestion.nearest(typed, names)).toEqual(nearest)
    },
  )
})
