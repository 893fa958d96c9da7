import { KeyValueStore } from "effect/persistence"
import { Delivery, Routes, Sinks } from "@vigil/notify"
import { Effect } from "effect"

/** Makes the delivery of a routes document. */
export const makeDelivery = (document: string) =>
  Effect.gen(function* () {
    const routes = yield* Effect.fromResult(Routes.parse(document))
    // Reads the secrets.
    const sinks = yield* Sinks.make(routes)
    return yield* Delivery.make({ sinks, routes, store: yield* KeyValueStore.KeyValueStore })
  })
