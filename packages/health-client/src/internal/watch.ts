/** A watch: reads the list again and again, keeps what is known, and goes on where it was stopped. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Limits from "@vigil/health-schema/Limits"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { InvalidEvent } from "../InvalidEvent.js"
import type * as Listing from "../Listing.js"
import type * as Watch from "../Watch.js"
import { keyOf } from "./sighting.js"
import * as watchReading from "./watchReading.js"
import * as watchStore from "./watchStore.js"

/** What is watched: the pages of events that were updated since then, and what the caller called. */
export interface Source<V extends ApiVersion.ApiVersion> {
  readonly operation: string
  readonly list: (since: DateTime.Utc) => Stream.Stream<Listing.EventPage<V>, Listing.PagesError>
}

/** A stream of which each element is asked for on its own. */
const oneByOne = <A>(elements: IterableIterator<A>): Stream.Stream<A> => Stream.fromIteratorSucceed(elements, 1)

const everyFiveMinutes = Schedule.spaced(Duration.minutes(5))

/** The changes, from what is known on. */
export const changes = <V extends ApiVersion.ApiVersion, E, R>(
  { list, operation }: Source<V>,
  place: Option.Option<watchStore.Place<V>>,
  {
    lookback = Duration.days(Limits.defaultDaysBack),
    onFailure,
    onInvalid,
    schedule = everyFiveMinutes,
  }: Watch.Options<E, R>,
): Stream.Stream<Watch.Change<V>, Watch.WatchError | E, R> => {
  type Telling = Stream.Stream<Watch.Change<V>, Watch.WatchError | E, R>
  const span = Duration.toMillis(lookback)
  const report = (error: InvalidEvent): Effect.Effect<unknown, InvalidEvent | E, R> =>
    onInvalid === undefined ? Effect.fail(error) : onInvalid(error)

  const from = (known: watchStore.Known<V>): Telling => {
    const events = new Map(known.events.map((event): [string, HealthEvent.HealthEvent<V>] => [keyOf(event), event]))
    let { listedAt } = known
    let isKept = true
    const changed = () => {
      isKept = false
    }
    const keep = Effect.suspend(() =>
      isKept || Option.isNone(place)
        ? Effect.void
        : Effect.tap(watchStore.save(place.value, { listedAt, events: [...events.values()] }), () => {
            isKept = true
          }),
    )

    const reading = Effect.map(Clock.currentTimeMillis, (now) => {
      const since = Option.getOrElse(listedAt, () => now)
      if (Option.isNone(listedAt)) {
        // However the first reading ends, and whatever there is: a watch that goes on reaches back to where it began.
        listedAt = Option.some(now)
        changed()
      }
      const start = Math.max(0, Math.min(now, since) - span)
      const current = watchReading.make({ events, changed }, start)
      const pages = Stream.flatMap(list(DateTime.unsafeMake(start)), (page) =>
        Stream.concat(
          oneByOne(current.page(page)),
          Stream.execute(
            Effect.forEach(page.invalid, (entry) => report(new InvalidEvent({ ...entry, operation })), {
              discard: true,
            }),
          ),
        ),
      )
      const again = Stream.suspend(() => (current.isInDoubt() ? pages : Stream.empty))
      const rest = Stream.suspend(() => oneByOne(current.rest()))
      const done = Effect.suspend(() => {
        // Twice as far back as lists reach, for clocks that are set back.
        current.forget(start - span)
        listedAt = Option.some(now)
        // An earlier time in the store makes lists longer, a later one would leave something out.
        if (now < since) changed()
        return keep
      })
      return Stream.concatAll(Chunk.fromIterable<Telling>([pages, again, rest, Stream.execute(done)]))
    })

    const once: Telling = Stream.unwrap(reading)
    // What a failed reading told is kept at once: the next one may be far. If it can't be, the next one fails of it.
    const tried =
      onFailure === undefined
        ? once
        : Stream.catchAll(once, (error) => Stream.execute(Effect.zipRight(Effect.ignore(keep), onFailure(error))))
    return Stream.concat(
      tried,
      Stream.flatMap(Stream.fromSchedule(schedule), () => tried),
    ).pipe(
      Stream.ensuring(
        Effect.catchAllCause(keep, (cause) => Effect.logWarning("A watch could not keep what it told last.", cause)),
      ),
    )
  }

  return Stream.unwrap(
    Effect.map(
      Option.match(place, { onNone: () => Effect.succeed(watchStore.nothing), onSome: watchStore.load }),
      from,
    ),
  )
}
