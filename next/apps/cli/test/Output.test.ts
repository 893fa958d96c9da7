import { describe, expect, it } from "vitest"
import * as Output from "../src/output/Output.js"
import * as TerminalText from "../src/output/TerminalText.js"

describe("a note", () => {
  it("keeps its spaces, and is one line without control characters", () => {
    expect(TerminalText.safe('  Wrote "a  b\n\u001b[2J.html"')).toBe('  Wrote "a  b .html"')
  })
})

describe("the width of a terminal", () => {
  it.each([
    [true, 100, 100],
    [true, 0, 80],
    [false, 100, undefined],
  ])("with isTTY %j and %i columns is %j", (isTTY, columns, width) => {
    expect(Output.widthOf({ isTTY, columns })).toBe(width)
  })
})
