/** The loop of a watch: polls the list, emits the changes and saves the state. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as EventsPage from "@vigil/health-schema/EventsPage"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type * as Listing from "../Listing.js"
import type { Change } from "./change.js"
import * as polling from "./poll.js"
import * as watchState from "./watchState.js"
import * as watchStore from "./watchStore.js"

type Error<E> = E | Listing.FetchError | watchStore.WatchStoreError

/** Times are in milliseconds. */
interface Settings<V extends ApiVersion.ApiVersion, E, R, E2, R2> {
  /** Lists the events updated since a time. */
  readonly list: (since: DateTime.Utc) => Stream.Stream<Listing.EventPage<V>, Listing.FetchError>
  /** Runs for each invalid entry. */
  readonly report: (entry: EventsPage.InvalidEntry) => Effect.Effect<unknown, E, R>
  readonly onFailure: ((error: Error<E>) => Effect.Effect<unknown, E2, R2>) | undefined
  readonly schedule: Schedule.Schedule<unknown>
  readonly location: watchStore.Location<V> | undefined
  readonly key: string
  readonly state: watchStore.State<V>
  readonly lookback: number
  readonly retention: number
  readonly unresolvedRetention: number
}

/** Streams the changes since a state. */
export const changes = <V extends ApiVersion.ApiVersion, E, R, E2, R2>({
  list,
  lookback,
  onFailure,
  location,
  key,
  report,
  schedule,
  state,
  ...retentions
}: Settings<V, E, R, E2, R2>): Stream.Stream<Change<V>, Error<E> | E2, R | R2> => {
  const entries = new Map(state.entries)
  let { listedAt } = state
  let savedListedAt = listedAt ?? Number.NEGATIVE_INFINITY
  let isSaved = true

  /** `JSON.stringify` is recursive, and overflows the stack at some thousands of levels. */
  const tooDeep = () => new watchStore.WatchStoreError({ key, operation: "save", reason: "tooDeep" })

  const save = (entries: watchState.Entries<V>) =>
    Effect.suspend(() => {
      if (location === undefined) return Effect.void
      savedListedAt = listedAt ?? savedListedAt
      return watchStore.save(location, { entries, listedAt })
    })
  const saveChanges = Effect.suspend(() =>
    isSaved
      ? Effect.void
      : Effect.map(save(entries), () => {
          isSaved = true
        }),
  )

  /** Stores all changes as pending before emitting the first, so that none is lost. */
  const emit = (
    keyed: ReadonlyArray<watchState.KeyedChange<V>>,
  ): Stream.Stream<Change<V>, watchStore.WatchStoreError> => {
    if (keyed.length === 0) return Stream.empty
    isSaved = false
    return Stream.concat(
      Stream.fromEffectDrain(save(watchState.withPending(entries, keyed))),
      // A chunk of one, so that the next change is pulled after this one is consumed.
      Stream.fromIteratorSucceed(watchState.deliver(entries, keyed), 1),
    )
  }

  const poll: Effect.Effect<Stream.Stream<Change<V>, Error<E>>, never, R> = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const since = listedAt ?? now
    if (listedAt === undefined) {
      // Even if this poll fails, the next watch reaches back to this time.
      listedAt = now
      isSaved = false
    }
    const start = Math.max(0, Math.min(now - lookback, since - lookback, watchState.pendingSince(entries)))
    const current = polling.make(entries, { now, start, ...retentions })
    const read = (onEntry: typeof report) =>
      Stream.runForEach(list(DateTime.makeUnsafe(start)), (page) => {
        const added = Effect.try({ try: () => current.read(page), catch: tooDeep })
        return Effect.andThen(added, Effect.forEach(page.invalid, onEntry, { discard: true }))
      })
    // The second read reports no invalid entries again.
    const secondRead = Effect.suspend(() => (current.needsSecondRead() ? read(() => Effect.void) : Effect.void))
    const result = yield* Effect.result(Effect.andThen(read(report), secondRead))

    const complete = Effect.suspend(() => {
      const { isCertain, isChanged } = current.complete()
      // Keep looking for an event that an invalid entry may hide, for `retention` at most.
      listedAt = isCertain ? now : Math.min(now, Math.max(since, now - retentions.retention))
      // The stored time may be older than `listedAt`, which makes lists longer, but never newer.
      if (isChanged || listedAt < savedListedAt || listedAt - savedListedAt > lookback) isSaved = false
      return saveChanges
    })
    const emitted = Stream.suspend(() =>
      Result.match(result, {
        onFailure: (error) => {
          const failure = Stream.fail(error)
          // If the store fails as well, fail with the error of the poll.
          return Stream.concat(
            Stream.catch(emit(current.changes(false)), () => failure),
            failure,
          )
        },
        onSuccess: () => Stream.concat(emit(current.changes(true)), Stream.fromEffectDrain(complete)),
      }),
    )
    return Stream.catchCause(emitted, (cause) =>
      cause.reasons.some((reason) => Cause.isDieReason(reason) && reason.defect instanceof RangeError)
        ? Stream.fail(tooDeep())
        : Stream.failCause(cause),
    )
  })

  const once = Stream.unwrap(poll)
  const attempt: Stream.Stream<Change<V>, Error<E> | E2, R | R2> = onFailure === undefined
    ? once
    : // The next poll may be far away. If the state cannot be saved now, that poll fails.
      Stream.catch(once, (error) =>
        Stream.fromEffectDrain(Effect.andThen(Effect.ignore(saveChanges), onFailure(error))),
      )
  return Stream.concat(
    attempt,
    Stream.flatMap(Stream.fromSchedule(schedule), () => attempt),
  ).pipe(
    Stream.ensuring(
      Effect.catchCause(saveChanges, (cause) => Effect.logWarning("A watch could not save its state.", cause)),
    ),
  )
}
