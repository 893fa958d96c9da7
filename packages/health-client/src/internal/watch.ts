/** A watch: reads the list again and again, keeps what is known, and goes on where it was stopped. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
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
import * as watchable from "./watchable.js"
import * as watchMemory from "./watchMemory.js"
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

/** A final review may come within 14 days of mitigation (document, `eventTags`). */
const aMonth = Duration.days(30)

/** The changes, from what is known on. */
export const changes = <V extends ApiVersion.ApiVersion, E, R, E2, R2>(
  { list, operation }: Source<V>,
  place: Option.Option<watchStore.Place<V>>,
  {
    lookback = Duration.days(Limits.defaultDaysBack),
    onFailure,
    onInvalid,
    retention = aMonth,
    schedule = everyFiveMinutes,
    unresolvedRetention = Duration.days(90),
  }: Watch.Options<E, R, E2, R2>,
): Stream.Stream<Watch.Change<V>, Watch.WatchError | E | E2, R | R2> => {
  type Telling<E3 = never, R3 = never> = Stream.Stream<Watch.Change<V>, Watch.WatchError | E | E3, R | R3>
  const span = Duration.toMillis(lookback)
  // Never less than lists reach back, for clocks that are set back.
  const memorySpan = Math.max(span, Duration.toMillis(retention))
  const report = (error: InvalidEvent): Effect.Effect<unknown, InvalidEvent | E, R> =>
    onInvalid === undefined ? Effect.fail(error) : onInvalid(error)

  const from = (known: watchStore.Known<V>): Telling<E2, R2> => {
    let { listedAt } = known
    let keptAt = Option.getOrElse(listedAt, () => Number.NEGATIVE_INFINITY)
    let isKept = true
    const changed = () => {
      isKept = false
    }
    const memory = watchMemory.make(known, changed)
    const save = (state: watchMemory.State<V>) =>
      Option.match(place, {
        onNone: () => Effect.void,
        onSome: (place) =>
          Effect.tap(watchStore.save(place, { ...state, listedAt }), () => {
            keptAt = Option.getOrElse(listedAt, () => keptAt)
          }),
      })
    const keep = Effect.suspend(() =>
      isKept
        ? Effect.void
        : Effect.tap(save(memory), () => {
            isKept = true
          }),
    )

    /** Tells changes, once the store knows that they may have been told: however this ends, what disappears of it is told. */
    const tell = (steps: ReadonlyArray<watchMemory.Step<V>>): Telling => {
      if (steps.length === 0) return Stream.empty
      const announced = Effect.suspend(() => {
        changed()
        return save(memory.before(steps))
      })
      return Stream.concat(Stream.execute(announced), oneByOne(memory.tell(steps)))
    }

    const reading = Effect.map(Clock.currentTimeMillis, (now) => {
      const since = Option.getOrElse(listedAt, () => now)
      if (Option.isNone(listedAt)) {
        // However the first reading ends, and whatever there is: a watch that goes on reaches back to where it began.
        listedAt = Option.some(now)
        changed()
      }
      // As far back as what may have been told, and has to be told again or to be gone.
      const start = Math.max(0, Math.min(now - span, since - span, memory.doubtfulSince()))
      const current = watchReading.make(memory, start)
      const pages = (invalid: (page: Listing.EventPage<V>) => Effect.Effect<unknown, InvalidEvent | E, R>): Telling =>
        Stream.flatMap(list(DateTime.unsafeMake(start)), (listed) =>
          Stream.suspend(() => {
            const page = watchable.page(listed)
            current.page(page)
            return Stream.concat(tell(current.due()), Stream.execute(invalid(page)))
          }),
        ).pipe(
          Stream.catchAll((error) =>
            Stream.concat(
              Stream.catchAll(
                Stream.suspend(() => tell(current.gathered())),
                () => Stream.fail(error),
              ),
              Stream.fail(error),
            ),
          ),
        )
      const first = pages((page) =>
        Effect.forEach(page.invalid, (entry) => report(new InvalidEvent({ ...entry, operation })), { discard: true }),
      )
      // What is no event was reported, or will be by the next reading.
      const again = Stream.suspend(() => (current.isInDoubt() ? pages(() => Effect.void) : Stream.empty))
      const rest = Stream.suspend(() => tell(current.rest()))
      const done = Effect.suspend(() => {
        current.forget(start - memorySpan)
        current.forgetUnlisted(now, now - Duration.toMillis(unresolvedRetention))
        // What may have gone unnoticed is looked for again, but not for ever: the entry that hides it may stay.
        const listed = current.isSure() ? now : Math.min(now, Math.max(since, now - memorySpan))
        listedAt = Option.some(listed)
        // An earlier time in the store makes lists longer, the much earlier one very long; a later one would leave something out.
        if (listed < keptAt || listed - keptAt > span) changed()
        return keep
      })
      return Stream.concatAll(Chunk.fromIterable<Telling>([first, again, rest, Stream.execute(done)]))
    })

    const once: Telling = Stream.unwrap(reading)
    // What a failed reading told is kept at once: the next one may be far. If it can't be, the next one fails of it.
    const tried: Telling<E2, R2> =
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
