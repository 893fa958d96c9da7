/** The state of a running watch, and when it is stored. */
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type * as Listing from "../Listing.js"
import type { SubscriptionId } from "../SubscriptionId.js"
import { WatchStore, type WatchStoreError } from "../WatchStore.js"
import type { Change } from "./change.js"
import * as states from "./state.js"

export interface Journal<V extends ApiVersion> {
  readonly state: () => states.State<V>
  /** Stores the next state, which then is the state. */
  readonly advance: (next: states.State<V>) => Effect.Effect<void, WatchStoreError>
  /** Removes a change from the pending ones. The store may get to know it later, with the next save. */
  readonly handled: (change: Change<V>) => Effect.Effect<void>
  /** Stores the handled changes. */
  readonly save: Effect.Effect<void, WatchStoreError>
}

/** How long a handled change may stay pending in the store. A state can have megabytes, and a handler can take microseconds. */
const saveInterval = Duration.toMillis("1 second")

/** Loads the stored state, or stores the one before the first poll. */
export const open = <V extends ApiVersion>(
  subscription: SubscriptionId,
  query: Listing.Query<V>,
): Effect.Effect<Journal<V>, WatchStoreError, WatchStore> =>
  Effect.gen(function* () {
    const store = yield* WatchStore
    const text = yield* store.load
    let state =
      text === undefined
        ? states.empty<V>(subscription, { ...query, now: yield* DateTime.now })
        : yield* Effect.fromResult(states.decode<V>(text, subscription, query))
    let stored = text === undefined ? undefined : state
    let savedAt = Number.NEGATIVE_INFINITY
    const done = new Set<Change<V>>()

    const advance = (next: states.State<V>) =>
      Effect.gen(function* () {
        if (next !== stored) yield* store.save(yield* Effect.fromResult(states.encode(next)))
        stored = state = next
      })
    // One at a time: a slow write must not replace a later state.
    const oneAtATime = Semaphore.withPermits(yield* Semaphore.make(1), 1)
    const save = oneAtATime(
      Effect.suspend(() => {
        // Also if the write fails: the next save repeats it.
        state = states.handled(state, done)
        done.clear()
        return advance(state)
      }),
    )
    const handled = (change: Change<V>) =>
      Effect.gen(function* () {
        done.add(change)
        const now = yield* Clock.currentTimeMillis
        if (Math.abs(now - savedAt) < saveInterval) return
        savedAt = now
        // The last save decides.
        yield* Effect.ignore(save)
      })

    yield* save
    return { state: () => state, advance, handled, save }
  })
