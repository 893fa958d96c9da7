/** A list as a stream of items, with its invalid entries reported in their order. */
import type * as EventsPage from "@vigil/health-schema/EventsPage"
import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
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
  type Part<In = unknown, Err = unknown> = Channel.Channel<
    Chunk.Chunk<A>,
    In,
    Listing.PagesError | X | E,
    Err,
    unknown,
    unknown,
    R
  >
  const parts = (page: Listing.Page<A>, index = 0): Part => {
    const { invalid, items, offsets } = page
    const entry = invalid[index]
    const events: Part = Channel.write(Chunk.unsafeFromArray(items.slice(offsets[index - 1] ?? 0, offsets[index])))
    return entry === undefined
      ? events
      : events.pipe(
          Channel.flatMap(() => Channel.fromEffect(Effect.suspend(() => report(entry)))),
          Channel.flatMap(() => parts(page, index + 1)),
        )
  }
  const start: Part = Channel.void
  // `Stream.flatMap` retains pages for longer: `pnpm bench race` takes 40 % more CPU time with it.
  const each: Part<Chunk.Chunk<Listing.Page<A>>, Listing.PagesError> = Channel.readWithCause({
    onInput: (pages) =>
      Channel.flatMap(
        // Passes on the empty chunk between pages, because a channel retains the chunk that it wrote last.
        Chunk.isEmpty(pages)
          ? Channel.write(Chunk.empty())
          : Chunk.reduce(pages, start, (done, page) => Channel.flatMap(done, () => parts(page))),
        () => each,
      ),
    onFailure: Channel.failCause,
    onDone: Channel.succeed,
  })
  return Stream.pipeThroughChannel(pages(source, options), each)
}
