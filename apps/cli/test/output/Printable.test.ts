import type * as Subject from "@vigil/health-verdict/Subject"
import { tenant } from "@vigil/health-client/Tenant"
import { expect, it } from "vitest"
import * as Printable from "../../src/output/Printable.js"
import * as Table from "../../src/output/Table.js"

it("keeps the JSON and the rows of a definition with subscriptions", () => {
  const definition: Printable.Definition<number> = {
    columns: [{ heading: "N", field: "n" }],
    fields: { n: (value) => value },
    json: String,
    isRow: (value) => value > 0,
  }
  const label = (id: string) => id.toUpperCase()
  const { columns, json, isRow } = Printable.withSubscription(definition, () => ["a", "b"], label)
  expect([columns[0]?.cell?.(1), json?.(1), isRow?.(0)]).toEqual(["A, B", "1", false])
})

it("counts the subscriptions of a value if their labels do not fit", () => {
  const definition: Printable.Definition<ReadonlyArray<Subject.Shared | string>> = { columns: [], fields: {} }
  const { columns } = Printable.withSubscription(
    definition,
    (ids) => ids,
    (id) => id,
    3,
  )
  const some = [
    ["Production", "Staging"],
    ["Contoso, Incorporated"],
    ["Production", "Staging", "Test"],
    ["Production", "Staging", tenant],
  ]
  const rows = some.map((ids) => [String(columns[0]?.cell?.(ids))])
  const lines = (width?: number) => Table.render(columns, rows, width, false, false).lines
  expect(lines(8)).toEqual(["2 of 3", "Contoso…", "all 3", "2 of 3,…"])
  expect(lines(18).at(-1)).toBe("2 of 3, the tenant")
  expect(lines(31)).toEqual([
    "Production, Staging",
    "Contoso, Incorporated",
    "Production, Staging, Test",
    "Production, Staging, the tenant",
  ])
  expect(lines()).toEqual(lines(31))
})
