/** Sorts the values of a list by a field. Loaded only with `--sort-by`. */
import * as Suggestion from "@vigil/health-text/Suggestion"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Stream from "effect/Stream"
import { UsageError } from "../flags/UsageError.js"
import * as ChosenColumns from "./ChosenColumns.js"
import type { Cell, Definition } from "./Printable.js"

/** Numbers before texts, and both before empty values. */
const rank = (value: Cell): number =>
  value === null || value === undefined || value === "" ? 2 : typeof value === "number" ? 0 : 1

const byValue: Order.Order<Cell> = (one, other) => {
  if (typeof one === "number" && typeof other === "number") return Order.Number(one, other)
  return Order.Number(rank(one), rank(other)) || Order.String(String(one), String(other))
}

/** Returns a function that sorts the values of parts as one part. Columns have an order of their own, such as the most severe level first. */
export const make = Effect.fnUntraced(function* <A>(definition: Definition<A>, name: string) {
  const found = ChosenColumns.findColumn(definition, name)
  if (found === undefined) {
    const known = Object.keys(definition.fields)
    return yield* new UsageError(
      `--sort-by ${JSON.stringify(name)} is unknown.${Suggestion.question(name, known)} The columns are ${known.join(", ")}.`,
    )
  }
  const order = found.column.order ?? Order.mapInput(byValue, found.read)
  return <E, R>(parts: Stream.Stream<ReadonlyArray<A>, E, R>): Stream.Stream<ReadonlyArray<A>, E, R> =>
    Stream.fromEffect(Effect.map(Stream.runCollect(parts), (all) => all.flat().toSorted(order)))
})
