/** Loads and saves the state of a sink as one JSON text. */
import type * as KeyValueStore from "effect/persistence/KeyValueStore"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { DeliveryStoreError } from "../DeliveryStoreError.js"
import * as sinkState from "./sinkState.js"

const decode = Schema.decodeEffect(Schema.fromJsonString(sinkState.Stored))

/** Where the state of a sink is stored. */
export interface Location {
  readonly store: KeyValueStore.KeyValueStore
  readonly key: string
}

export const load = ({ key, store }: Location): Effect.Effect<typeof sinkState.Stored.Type, DeliveryStoreError> =>
  Effect.gen(function* () {
    const text = yield* Effect.mapError(
      store.get(key),
      (cause) => new DeliveryStoreError({ key, operation: "load", reason: "unavailable", cause }),
    )
    if (text === undefined) return sinkState.none
    return yield* Effect.mapError(
      decode(text),
      () => new DeliveryStoreError({ key, operation: "load", reason: "unreadable" }),
    )
  })

/** Not interruptible: half a write may leave the text unreadable. */
export const save = ({ key, store }: Location, state: sinkState.State): Effect.Effect<void, DeliveryStoreError> =>
  Effect.mapError(
    Effect.uninterruptible(store.set(key, sinkState.encode(state))),
    (cause) => new DeliveryStoreError({ key, operation: "save", reason: "unavailable", cause }),
  )
