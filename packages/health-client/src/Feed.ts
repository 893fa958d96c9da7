/**
 * Follows a list: what is known of it, what changed since, and which changes were handled. `Watch.feed` and `StatusFeed.make` make feeds.
 *
 * - `run` polls by a schedule, and stores its progress in a `KeyValueStore`.
 * - `load` and `step` are one poll, for programs that store the text themselves, such as in a transaction.
 */
import * as Span from "@vigil/core-http/Span"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { KeyValueStore } from "effect/persistence/KeyValueStore"
import * as journals from "./internal/journal.js"
import type { Codec, Stored } from "./internal/journal.js"
import { guard } from "./internal/tooDeep.js"
import type * as Listing from "./Listing.js"
import type { WatchStoreError } from "./WatchStore.js"

export { load, type Codec, type Stored } from "./internal/journal.js"

/** A complete list, compared with what was known. @category models @since 0.3.0 */
export interface Polled<State, Change> {
  /** The changes, in order: one at most of each entry. */
  readonly changes: ReadonlyArray<Change>
  /** What is known now. The same object if there is nothing to store. */
  readonly state: State
  /** The entries of the list that do not decode. */
  readonly invalid: ReadonlyArray<Listing.InvalidEntry>
}

/** A list that changes. @category models @since 0.3.0 */
export interface Feed<State, Change, E = never, R = never> extends Codec<State, Change> {
  /** The ID of the subscription, and the name of the span of a poll. */
  readonly subscription: string
  readonly span: string
  /** Reads the list, and compares it with the state. */
  readonly poll: (state: State, now: DateTime.Utc) => Effect.Effect<Polled<State, Change>, E, R>
}

/** The result of a step. @category models @since 0.3.0 */
export interface Step<State, Change> extends Pick<Polled<State, Change>, "changes" | "invalid"> {
  /** The text to store after the changes are handled, or with them. `undefined` if it is the same. */
  readonly text: string | undefined
}

/**
 * Polls once. The changes begin with those that may not have been handled. A repeated step of the same text repeats them.
 * @category polling @since 0.3.0
 */
export const step = <State, Change, E, R>(
  { encode, poll }: Pick<Feed<State, Change, E, R>, "encode" | "poll">,
  { pending, state }: Stored<State, Change>,
  now: DateTime.Utc,
): Effect.Effect<Step<State, Change>, E | WatchStoreError, R> =>
  Effect.gen(function* () {
    const next = yield* poll(state, now)
    const isSame = next.state === state && pending.length === 0
    const text = isSame ? undefined : yield* guard(() => encode({ state: next.state, pending: [] }))
    return { changes: [...pending, ...next.changes], invalid: next.invalid, text }
  })

/** Options of `run`. `E`: the error of a poll; `E1`: that of the handler; `E2`, `R2`: those of the others. @category models @since 0.3.0 */
export interface Options<E, E1, E2, R2> {
  /** Where the text is stored, and the keys where earlier releases stored it. */
  readonly key: string
  readonly earlier?: ReadonlyArray<string> | undefined
  /** When to poll again, after the changes are handled. The feed ends with the schedule. Default: 5 minutes after the last poll. */
  readonly schedule?: Schedule.Schedule<unknown> | undefined
  /** How many changes to handle at once: each is of another entry. Default: 1. */
  readonly concurrency?: number | "unbounded" | undefined
  /** When to call the handler again for a change that it failed to handle. Default: no retries. */
  readonly retry?: Schedule.Schedule<unknown, NoInfer<E1>> | undefined
  /** Runs if a poll fails, or if its result cannot be stored. The feed then continues with the next poll, unless this fails. */
  readonly onFailure: (error: NoInfer<E> | WatchStoreError) => Effect.Effect<unknown, E2, R2>
  /** Runs for each entry that does not decode. */
  readonly onInvalid: (entry: Listing.InvalidEntry) => Effect.Effect<unknown, E2, R2>
}

/**
 * Polls by `schedule`, and calls a handler for each change. All changes of a poll are stored as pending before the first handler runs, and each is
 * stored as handled after its handler has succeeded. A new run begins with the pending changes, so each change is handled **at least once**, in the order
 * of its entry: after a stop or a failure, only those whose handler did not end are handled again; after a kill, also those of the last second.
 *
 * Fails with the error of the handler and of the options, and with `WatchStoreError` if a state cannot be loaded, or a new one cannot be saved.
 * @category running @since 0.3.0
 */
export const run = <State, Change, E, R, E1, R1, E2, R2>(
  feed: Feed<State, Change, E, R>,
  handler: (change: Change) => Effect.Effect<unknown, E1, R1>,
  {
    concurrency = 1,
    onFailure,
    onInvalid,
    retry = Schedule.recurs(0),
    schedule = Schedule.spaced("5 minutes"),
    ...keys
  }: Options<E, E1, E2, R2>,
): Effect.Effect<void, E1 | E2 | WatchStoreError, KeyValueStore | R | R1 | R2> =>
  Effect.gen(function* () {
    const journal = yield* journals.open(feed, keys)
    /** Returns `undefined` if the effect fails and the feed continues. */
    const attempt = <A, E3 extends E | WatchStoreError, R3>(effect: Effect.Effect<A, E3, R3>) =>
      Effect.catch(effect, (error) => Effect.as(onFailure(error), undefined))

    const handle = (change: Change) =>
      Effect.retry(handler(change), retry).pipe(
        Effect.map(() => journal.handled(change)),
        // Otherwise, fast handlers would hold the thread until the last change, and no timer could store which were handled.
        Effect.andThen(Effect.yieldNow),
      )
    const handlePending = Effect.suspend(() => {
      const { pending } = journal.stored()
      if (pending.length === 0) return Effect.void
      // A poll has one change per entry, so that the changes of each are handled in order.
      const handling = Effect.forEach(pending, handle, { concurrency, discard: true })
      // A stop after the last handler does not interrupt the save.
      return Effect.uninterruptibleMask((restore) =>
        restore(Effect.raceFirst(handling, journal.follow)).pipe(
          Effect.onError(() =>
            Effect.catch(journal.save, (error) => Effect.logWarning("A watch could not save its state.", error)),
          ),
          Effect.andThen(Effect.catch(journal.save, (error) => Effect.asVoid(restore(onFailure(error))))),
        ),
      )
    })

    const pollOnce = Effect.gen(function* () {
      const { state } = journal.stored()
      const polled = yield* attempt(feed.poll(state, yield* DateTime.now))
      if (polled === undefined) return
      for (const entry of polled.invalid) yield* onInvalid(entry)
      const next = { state: polled.state, pending: polled.changes }
      if ((yield* attempt(Effect.as(journal.advance(next), true))) === true) yield* handlePending
      // A span for each poll: that of a feed would not end for months.
    }).pipe(Span.run(feed.span, { attributes: { "health.id": feed.subscription } }))

    yield* handlePending
    yield* Effect.repeat(pollOnce, schedule)
  })
