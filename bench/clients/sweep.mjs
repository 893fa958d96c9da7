/** A sweep of ours: the lists of many subscriptions, as many at once as it does by default. */
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { layers } from "./layers.mjs"
import { make } from "./ours.mjs"

export const read = ({ layer, subscriptions, ...options }, onPage) => {
  const take = (outcome) => (outcome._tag === "Listed" ? Effect.sync(() => onPage(outcome.events)) : outcome.error)
  return make(options).pipe(
    Effect.flatMap((client) => Stream.runForEach(client.sweep(subscriptions.map(SubscriptionId.make)), take)),
    Effect.scoped,
    Effect.provide(layers[layer]),
    Effect.runPromise,
  )
}
