import { describe, expect, it } from "vitest"
import * as Csv from "../../src/output/Csv.js"
import type * as Printable from "../../src/output/Printable.js"

const line = (...cells: Printable.Row) => Csv.lines([cells])[0]

describe("CSV", () => {
  it("has a line per row, with numbers and booleans as text and nothing for null", () => {
    expect(
      Csv.lines([
        ["id", 1, true, false],
        [null, undefined, "", "end"],
      ]),
    ).toEqual(["id,1,true,false", ",,,end"])
    expect(Csv.lines([])).toEqual([])
  })

  it.each([
    [`a, "b"`, `"a, ""b"""`],
    ...["=1+1", "+1", "-1", "@SUM(A1)", "\uff0b1", "\uff0d1", "\uff1d1", "\uff20A1"].map((text) => [text, `'${text}`]),
    ["a;=1", "a;'=1"],
    ["a|@b", "a|'@b"],
    ["a; -1", "a; '-1"],
    ["a;+1;\uff1d1", "a;'+1;'\uff1d1"],
    [`a;"=1`, `"a;""'=1"`],
  ])("quotes separators, and has an apostrophe before what may be a formula: %s", (text, printed) => {
    expect(line(text)).toBe(printed)
  })

  it.each(["a=1", "a;b=1", "1 - 1", "a; b -1", "user@vigil.example"])(
    "does not escape an operator that cannot start a formula: %s",
    (text) => {
      expect(line(text)).toBe(text)
    },
  )
})
