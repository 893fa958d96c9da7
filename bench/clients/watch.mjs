/** A watch that polls twice, with its state in memory. Calls `onPoll` after each poll. */
import * as Connection from "@vigil/health-client/Connection"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Watch from "@vigil/health-client/Watch"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import { layers } from "./layers.mjs"
import { connect } from "./ours.mjs"

/** Long enough for all served events, which have fixed dates. */
const lookback = "36500 days"

export const read = ({ layer, onPoll, subscription, ...options }, onPage) =>
  Effect.gen(function* () {
    const connection = yield* connect(options)
    const schedule = Schedule.tap(Schedule.recurs(1), () => Effect.sync(onPoll))
    const handler = ({ event }) => Effect.sync(() => onPage([event]))
    yield* Watch.run(SubscriptionId.make(subscription), handler, { lookback, schedule }).pipe(
      Effect.provideService(HealthClient.HealthClient, HealthClient.make(connection)),
      Effect.provideService(Connection.Connection, connection),
    )
    // The schedule is done after the second poll, and calls nothing.
    onPoll()
  }).pipe(Effect.scoped, Effect.provide(Layer.merge(layers[layer], KeyValueStore.layerMemory)), Effect.runPromise)
