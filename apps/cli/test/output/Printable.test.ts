import { expect, it } from "vitest"
import * as Printable from "../../src/output/Printable.js"

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
