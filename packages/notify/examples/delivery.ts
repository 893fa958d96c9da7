import { KeyValueStore } from "effect/persistence"
import { Delivery, Routes, Sinks } from "@vigil/notify"
import { Effect, Layer } from "effect"

/** Provides the delivery of a routes document. */
export const layerDelivery = (document: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const routes = yield* Effect.fromResult(Routes.parse(document))
      // Reads the secrets.
      const sinks = yield* Sinks.make(routes)
      return Delivery.layer({ sinks, routes, store: yield* KeyValueStore.KeyValueStore })
    }),
  )
