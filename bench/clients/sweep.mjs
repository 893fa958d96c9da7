/** A sweep: the lists of many subscriptions, with the default concurrency. */
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Sweep from "@vigil/health-client/Sweep"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { layers } from "./layers.mjs"
import { make } from "./ours.mjs"

export const read = ({ layer, subscriptions, ...options }, onPage) => {
  const consume = (outcome) => (outcome._tag === "Listed" ? Effect.sync(() => onPage(outcome.events)) : outcome.error)
  return make(options).pipe(
    Effect.flatMap((client) =>
      Sweep.sweep(subscriptions.map(SubscriptionId.make)).pipe(
        Stream.provideService(HealthClient.HealthClient, client),
        Stream.runForEach(consume),
      ),
    ),
    Effect.scoped,
    Effect.provide(layers[layer]),
    Effect.runPromise,
  )
}
