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

  it.each([
    ["Pord", ["Staging", "Production"], ["Production"]],
    ["pord", ["contoso-test-01", "contoso-prod-01", "contoso-prod-02"], ["contoso-prod-01", "contoso-prod-02"]],
    ["prdouctoin", ["Test", "Production of Contoso"], ["Production of Contoso"]],
    ["porf", ["Production"], []],
    ["por", ["Production"], []],
    ["", ["Production"], []],
  ])(
    "for %s in %j, without a similar name, have a word that begins so, except for a quarter of the letters",
    (typed, names, nearest) => {
      expect(Suggestion.nearest(typed, names)).toEqual(nearest)
    },
  )
})
