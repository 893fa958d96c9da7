/** Lists for tests, and how to read them. */
import { Page } from "@vigil/paging"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"

/** A list of pages by name. Each page has the name of the next page. Records the names of the fetched pages. */
export const book = (pages: Readonly<Record<string, readonly [ReadonlyArray<number>, string?]>>) => {
  const fetched: Array<string> = []
  const next = (cursor: string) =>
    Effect.sync((): Page.Page<number, string> => {
      fetched.push(cursor)
      const [items, following] = pages[cursor] ?? [[]]
      return following === undefined ? Page.last(items) : Page.withNext(items, following)
    })
  return { fetched, next }
}

/** A list without end. Each page has one item. The item and the cursor are the page number. */
export const endless = (page: number) => Effect.succeed(Page.withNext([page], page + 1))

/** Runs a stream. Returns what it delivered and how it ended. */
export const drain = <A, E>(
  stream: Stream.Stream<A, E>,
): Effect.Effect<{ readonly delivered: ReadonlyArray<A>; readonly exit: Exit.Exit<void, E> }> => {
  const delivered: Array<A> = []
  return Stream.runForEach(stream, (item) => Effect.sync(() => delivered.push(item))).pipe(
    Effect.exit,
    Effect.map((exit) => ({ delivered, exit })),
  )
}
