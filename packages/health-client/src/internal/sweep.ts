/** One subscription of a sweep: its list, to the end or to where it fails. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as EventsPage from "@vigil/health-schema/EventsPage"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Listing from "../Listing.js"
import type { SubscriptionId } from "../SubscriptionId.js"
import type * as Sweep from "../Sweep.js"

/** What becomes of it. */
export const outcome = <V extends ApiVersion.ApiVersion>(
  subscription: SubscriptionId,
  pages: Stream.Stream<Listing.EventPage<V>, Listing.PagesError>,
): Effect.Effect<Sweep.Outcome<V>> =>
  Effect.suspend(() => {
    const events: Array<HealthEvent.HealthEvent<V>> = []
    const invalid: Array<EventsPage.Invalid> = []
    const found = { subscription, events, invalid }
    return Stream.runForEach(pages, (page) =>
      Effect.sync(() => {
        for (const event of page.items) events.push(event)
        for (const entry of page.invalid) invalid.push(entry)
      }),
    ).pipe(
      Effect.match({
        onFailure: (error): Sweep.Outcome<V> => ({ _tag: "Failed", ...found, error }),
        onSuccess: (): Sweep.Outcome<V> => ({ _tag: "Listed", ...found }),
      }),
    )
  })
