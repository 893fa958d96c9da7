/** Sorts the values of a list by a field. Loaded only with `--sort-by`. */
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Stream from "effect/Stream"
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
  const { column, read } = yield* ChosenColumns.find(definition, "--sort-by", name)
  const order = column.order ?? Order.mapInput(byValue, read)
  return <E, R>(parts: Stream.Stream<ReadonlyArray<A>, E, R>): Stream.Stream<ReadonlyArray<A>, E, R> =>
    Stream.fromEffect(Effect.map(Stream.runCollect(parts), (all) => all.flat().toSorted(order)))
})
