import { describe, expect, it } from "vitest"
import * as Table from "../../src/output/Table.js"

const columns: ReadonlyArray<Table.Column> = [
  { heading: "ID" },
  { heading: "TITLE", minWidth: 5 },
  { heading: "PLACE", minWidth: 5, hideOrder: 2 },
  { heading: "TIME", hideOrder: 1 },
]
const rows = [
  ["AB12", "a long title", "West Europe", "12:00"],
  ["C", "t", "", ""],
]

describe("a table", () => {
  it.each([
    [38, ["AB12  a long title  West Europe  12:00", "C     t"], []],
    [25, ["AB12  a lo…  West…  12:00", "C     t"], []],
    [24, ["AB12  a long…   West Eu…", "C     t"], ["TIME"]],
    [17, ["AB12  a long tit…", "C     t"], ["PLACE", "TIME"]],
    [5, ["…  a…", "C  t"], ["PLACE", "TIME"]],
  ])("of %i cells shrinks columns evenly, then hides some, then shrinks all", (width, lines, hidden) => {
    const table = Table.render(columns, rows, width)
    expect(table.lines.slice(1)).toEqual(lines)
    expect(table.hidden).toEqual(hidden)
  })

  it("hides a column with one value first, and leaves out an empty one", () => {
    const at = (...times: ReadonlyArray<string>) =>
      Table.render(
        columns,
        times.map((time, index) => [rows[index]?.[0] ?? "", "a long title", "West Europe", time]),
        20,
      )
    expect(at("12:00", "13:00").hidden).toEqual(["PLACE"])
    const table = at("", "")
    expect(table.lines[0]).toMatch(/^ID +TITLE +PLACE$/)
    expect(table.hidden).toEqual([])
  })

  it("keeps an empty column in full width, and without headings", () => {
    const empty = [["A", "t", "", ""]]
    expect(Table.render(columns, empty, Infinity).lines[0]).toMatch(/PLACE +TIME$/)
    const place = [["A", "t", "", "12:00"]]
    expect(Table.render(columns, place, 40, false, false).lines).toEqual(["A   t             12:00"])
  })

  it("without headings hides by the order alone, so that all parts of a list have the same columns", () => {
    const same = rows.map(([id = "", title = ""], index) => [id, title, "West Europe", `1${index}:00`])
    const hidden = (hasHeadings: boolean) => Table.render(columns, same, 24, false, hasHeadings).hidden
    expect([hidden(true), hidden(false)]).toEqual([["PLACE"], ["TIME"]])
  })

  it("shrinks columns to their tight widths before one of these hides", () => {
    const tight = (heading: string, minWidth: number) => ({ heading, minWidth, tightWidth: 5, hideOrder: 2 })
    const all = [{ heading: "ID" }, tight("TITLE", 9), tight("PLACE", 5), { heading: "TIME", hideOrder: 1 }]
    const at = (width: number) => Table.render(all, rows, width).lines[1]
    expect([at(22), at(18), at(17)]).toEqual(["AB12  a long t…  West…", "AB12  a lo…  West…", "AB12  West Europe"])
  })

  it("has long advice on lines below its row", () => {
    const all = [{ heading: "ID" }, { heading: "ADVICE", isBelow: true }]
    const table = Table.render(
      all,
      [
        ["A", "do this and that"],
        ["B", ""],
      ],
      14,
    )
    expect(table.lines).toEqual(["ID", "A", "  do this and", "  that", "B"])
  })

  it("without a width has complete cells, separated by tabs", () => {
    expect(Table.render(columns, rows).lines[1]).toBe("AB12\ta long title\tWest Europe\t12:00")
    expect(Table.render([{ heading: "A" }], [["a".repeat(3_000)]]).lines[1]).toHaveLength(3_000)
  })
})
