/** Watches the events of a subscription: calls a handler for each change, and stores what was handled. */
import type { RequestError } from "@vigil/core-http/RequestError"
import type { ApiVersion, Latest } from "@vigil/health-schema/ApiVersion"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { HealthClient } from "./HealthClient.js"
import type { Change } from "./internal/change.js"
import * as journals from "./internal/journal.js"
import type { State } from "./internal/state.js"
import * as steps from "./internal/step.js"
import { InvalidEvent } from "./InvalidEvent.js"
import type * as Listing from "./Listing.js"
import type { PageLoop } from "./PagingError.js"
import type { SubscriptionId } from "./SubscriptionId.js"
import { type WatchStore, WatchStoreError } from "./WatchStore.js"

export type { Change } from "./internal/change.js"
export { decode, empty, encode, handled, type Known, type List, type State } from "./internal/state.js"
export { type Page, since, type Step, step, type StepOptions, type Times } from "./internal/step.js"

/** Why a poll failed. @category errors @since 0.2.0 */
export type WatchError = RequestError | PageLoop | InvalidEvent | WatchStoreError

/** Options of `run`. `E`: the error of the handler. @category models @since 0.2.0 */
export interface Options<V extends ApiVersion = Latest, E = never>
  extends Listing.Query<V>, Pick<steps.StepOptions, "baseline" | "lookback"> {
  /** When to poll again, after the changes are handled. The watch ends with the schedule. Default: 5 minutes after the last poll. */
  readonly schedule?: Schedule.Schedule<unknown> | undefined
  /** How many events to handle changes of at once. The changes of one event are handled in order. Default: 1. */
  readonly concurrency?: number | "unbounded" | undefined
  /** How often to call a handler that fails again. Then the watch fails, and the next run begins with this change. Default: never. */
  readonly retry?: Schedule.Schedule<unknown, NoInfer<E>> | undefined
  /** Without `onFailure`, the watch fails if a poll fails. */
  readonly onFailure?: undefined
}

/** Options of a watch that continues after a failed poll. `E2`, `R2`: those of `onFailure`. @category models @since 0.2.0 */
export interface ContinuingOptions<V extends ApiVersion = Latest, E = never, E2 = never, R2 = never> extends Omit<
  Options<V, E>,
  "onFailure"
> {
  /**
   * Runs if a poll fails, and for each invalid entry of a list. The watch then continues: after an invalid entry with the other events,
   * otherwise with the next poll.
   */
  readonly onFailure: (error: WatchError) => Effect.Effect<unknown, E2, R2>
}

/** The pending changes of each event, in order. */
const byEvent = <V extends ApiVersion>({ pending }: State<V>) => {
  const events = new Map<string, Array<Change<V>>>()
  for (const change of pending) {
    const key = steps.keyOf(change.event)
    const changes = events.get(key)
    if (changes === undefined) events.set(key, [change])
    else changes.push(change)
  }
  return events.values()
}

/** Fails if an event is nested too deep. */
const guard = <A>(compare: () => A): Effect.Effect<A, WatchStoreError> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(compare())
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      return Effect.fail(new WatchStoreError({ operation: "save", reason: "tooDeep" }))
    }
  })

/**
 * Returns the changes of a poll as `step` does. If there are several pages and a known event is missing, reads the `list` again, because its
 * pages may have shifted. Fails with `WatchStoreError` if an event is nested too deep.
 * @category polling @since 0.2.0
 */
export const advance = <V extends ApiVersion, E, R>(
  state: State<V>,
  pages: ReadonlyArray<steps.Page<V>>,
  list: Effect.Effect<ReadonlyArray<steps.Page<V>>, E, R>,
  options: steps.StepOptions,
): Effect.Effect<steps.Step<V>, E | WatchStoreError, R> =>
  Effect.gen(function* () {
    const isPartial = yield* guard(() => steps.needsSecondRead(state, pages, options))
    const second = isPartial ? yield* list : []
    return yield* guard(() => steps.step(state, [...pages, ...second], options))
  })

/**
 * Polls the events of a subscription and calls a handler for each change, which is stored as handled after its handler has succeeded. Lists
 * the events at once, then by `schedule`.
 *
 * All changes of a poll are stored as pending before the first handler runs. A new run begins with the pending changes, so each change is
 * handled **at least once**: after a stop or a failure, only those whose handler did not end are handled again; after a kill, also those of the
 * last second.
 *
 * Fails with the error of the handler, and without `onFailure` with `WatchError`. A state that cannot be loaded, and a new one that cannot
 * be saved, always fail the watch.
 * @category running @since 0.2.0
 */
export function run<const V extends ApiVersion = Latest, E = never, R = never>(
  subscription: SubscriptionId,
  handler: (change: Change<NoInfer<V>>) => Effect.Effect<unknown, E, R>,
  options?: Options<V, E>,
): Effect.Effect<void, E | WatchError, R | HealthClient | WatchStore>
export function run<const V extends ApiVersion = Latest, E = never, R = never, E2 = never, R2 = never>(
  subscription: SubscriptionId,
  handler: (change: Change<NoInfer<V>>) => Effect.Effect<unknown, E, R>,
  options: ContinuingOptions<V, E, E2, R2>,
): Effect.Effect<void, E | E2 | WatchStoreError, R | R2 | HealthClient | WatchStore>
export function run<V extends ApiVersion, E, R, E2, R2>(
  subscription: SubscriptionId,
  handler: (change: Change<V>) => Effect.Effect<unknown, E, R>,
  {
    baseline,
    concurrency = 1,
    lookback,
    onFailure,
    retry = Schedule.recurs(0),
    schedule = Schedule.spaced("5 minutes"),
    ...query
  }: Options<V, E> | ContinuingOptions<V, E, E2, R2> = {},
): Effect.Effect<void, E | E2 | WatchError, R | R2 | HealthClient | WatchStore> {
  return Effect.gen(function* () {
    const { pagesBySubscription } = yield* HealthClient
    const journal = yield* journals.open(subscription, query)

    const onError = (error: WatchError): Effect.Effect<unknown, WatchError | E2, R2> =>
      onFailure === undefined ? Effect.fail(error) : onFailure(error)
    /** Returns `undefined` if the effect fails and the watch continues. */
    const attempt = <A>(effect: Effect.Effect<A, WatchError>) =>
      Effect.catch(effect, (error) => Effect.as(onError(error), undefined))

    const handle = (change: Change<V>) => Effect.andThen(Effect.retry(handler(change), retry), journal.handled(change))
    const handlePending = Effect.suspend(() =>
      Effect.forEach(byEvent(journal.state()), (changes) => Effect.forEach(changes, handle, { discard: true }), {
        concurrency,
        discard: true,
      }),
    ).pipe(
      Effect.onError(() =>
        Effect.catch(journal.save, (error) => Effect.logWarning("A watch could not save its state.", error)),
      ),
      Effect.andThen(attempt(journal.save)),
    )

    const poll = Effect.gen(function* () {
      const times = { now: yield* DateTime.now, lookback, baseline }
      const queryStartTime = steps.since(journal.state(), times)
      const read = Stream.runCollect(pagesBySubscription(subscription, { ...query, queryStartTime }))
      const pages = yield* attempt(read)
      if (pages === undefined) return
      for (const entry of pages.flatMap(({ invalid }) => invalid))
        yield* onError(new InvalidEvent({ ...entry, operation: "Watch.run" }))
      const step = yield* attempt(
        Effect.tap(advance(journal.state(), pages, read, times), ({ state }) => journal.advance(state)),
      )
      if (step !== undefined) yield* handlePending
    })

    yield* handlePending
    yield* Effect.repeat(poll, schedule)
  })
}
