/** How far a list was read, in numbers: while it is read, and at its end. */
import type * as Listing from "@vigil/health-client/Listing"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { Output } from "../output/Output.js"

type EventPage = Listing.EventPage<ApiVersion.ApiVersion>

interface Tally {
  readonly events: number
  readonly pages: number
  readonly invalid: number
  readonly shown: number
}

/** Counts pages as they come. */
export interface Progress {
  /** Counts a page of which so many entries are shown, and says on a terminal how it goes. */
  readonly page: (page: EventPage, shown: number) => Effect.Effect<void>
  /** What was read, and of it shown. */
  readonly summary: Effect.Effect<string>
}

const none: Tally = { events: 0, pages: 0, invalid: 0, shown: 0 }

/** So many of a thing. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const rate = (events: number, milliseconds: number): string =>
  milliseconds <= 0 ? "" : `, ${Math.round((events * 1000) / milliseconds)} events/s`

/** Begins to count. `shows` says whether it matters how many are shown, as it may be fewer than there are. */
export const make = (shows: boolean): Effect.Effect<Progress, never, Output> =>
  Effect.gen(function* () {
    const { status } = yield* Output
    const start = yield* Clock.currentTimeMillis
    const tally = yield* Ref.make(none)
    const tail = ({ shown }: Tally) => (shows ? `, ${shown} shown` : "")
    return {
      page: (page, shown) =>
        Effect.gen(function* () {
          const sum = yield* Ref.updateAndGet(tally, (sum) => ({
            events: sum.events + page.items.length + page.invalid.length,
            pages: sum.pages + 1,
            invalid: sum.invalid + page.invalid.length,
            shown: sum.shown + shown,
          }))
          const elapsed = (yield* Clock.currentTimeMillis) - start
          yield* status(
            `${plural(sum.pages, "page")}, ${plural(sum.events, "event")}${tail(sum)}${rate(sum.events, elapsed)}`,
          )
        }),
      summary: Effect.map(
        Ref.get(tally),
        (sum) => `${plural(sum.events, "event")} on ${plural(sum.pages, "page")}, ${sum.invalid} invalid${tail(sum)}`,
      ),
    }
  })
