/** A list as a stream of items, with its invalid entries reported in their order. */
import type * as EventsPage from "@vigil/health-schema/EventsPage"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as Pull from "effect/Pull"
import * as Stream from "effect/Stream"
import type * as Listing from "../Listing.js"
import { type Options, pages } from "./pages.js"
import type { Source } from "./source.js"

export const items = <A, X, E, R>(
  source: Source<A, X>,
  options: Options & Listing.ItemOptions<X, E, R>,
): Stream.Stream<A, Listing.PagesError | X | E, R> => {
  const report = (entry: EventsPage.InvalidEntry): Effect.Effect<unknown, X | E, R> => {
    const error = source.makeError({ ...entry, operation: source.operation })
    return options.onInvalid === undefined ? Effect.fail(error) : options.onInvalid(error)
  }
  type Part = ReadonlyArray<A> | EventsPage.InvalidEntry
  const split = ({ invalid, items, offsets }: Listing.Page<A>): ReadonlyArray<Part> => [
    ...invalid.flatMap((entry, index): ReadonlyArray<Part> => [
      items.slice(offsets[index - 1] ?? 0, offsets[index]),
      entry,
    ]),
    items.slice(offsets.at(-1) ?? 0),
  ]
  // `Stream.flatMap` retains a page until the next one arrives: `pnpm bench race` takes half as much CPU time again.
  return Stream.transformPull(pages(source, options), (pull) =>
    Effect.sync(() => {
      /** What is left of the page, last part first. */
      let parts: Array<Part> = []
      const next: Pull.Pull<Arr.NonEmptyReadonlyArray<A>, Listing.PagesError | X | E, void, R> = Effect.suspend(() => {
        const part = parts.at(-1)
        if (part === undefined)
          return Effect.flatMap(pull, (pages) => {
            parts = pages.flatMap(split).toReversed()
            return next
          })
        if ("reason" in part)
          // An interrupted report runs again.
          return Effect.flatMap(report(part), () => {
            parts.pop()
            return next
          })
        parts.pop()
        return Arr.isReadonlyArrayNonEmpty(part) ? Effect.succeed(part) : next
      })
      return next
    }),
  )
}
