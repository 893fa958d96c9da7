import { describe, expect, it } from "vitest"
import * as Output from "../../src/output/Output.js"

describe("the width of a terminal", () => {
  it.each([
    [true, 100, 100],
    [true, 0, 80],
    [false, 100, undefined],
  ])("with isTTY %j and %i columns is %j", (isTTY, columns, width) => {
    expect(Output.widthOf({ isTTY, columns })).toBe(width)
  })
})
