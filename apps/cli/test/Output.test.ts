import { describe, expect, it } from "vitest"
import * as Output from "../src/output/Output.js"

describe("how wide a terminal is", () => {
  it.each([
    [true, 100, 100],
    [true, 0, 80],
    [false, 100, undefined],
  ])("where isTTY is %j and it says %i: %j", (isTTY, columns, width) => {
    expect(Output.widthOf({ isTTY, columns })).toBe(width)
  })
})
