/** Counts the pages of a list, and shows the count on a terminal. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Output } from "../output/Output.js"
import { plural } from "../output/Plural.js"
import type { EventPage } from "./AnyEvent.js"

const rate = (events: number, milliseconds: number): string =>
  milliseconds <= 0 ? "" : `, ${Math.round((events * 1000) / milliseconds)} events/s`

export const make = Effect.gen(function* () {
  const { status } = yield* Output
  const start = yield* Clock.currentTimeMillis
  let tally = { pages: 0, events: 0, invalid: 0, older: 0 }
  return {
    page: Effect.fnUntraced(function* (page: EventPage) {
      tally = {
        pages: tally.pages + 1,
        events: tally.events + page.items.length,
        invalid: tally.invalid + page.invalid.length,
        older: tally.older + page.older,
      }
      const elapsed = (yield* Clock.currentTimeMillis) - start
      yield* status(`${plural(tally.pages, "page")}, ${plural(tally.events, "event")}${rate(tally.events, elapsed)}`)
    }),
    tally: Effect.sync(() => tally),
  }
})

export type Progress = Effect.Success<typeof make>
