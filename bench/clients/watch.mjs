/** A watch of ours that reads the list twice, what it knows kept in memory; `onReading` hears of the end of each reading. */
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { layers } from "./layers.mjs"
import { make } from "./ours.mjs"

/** To before the events that are served, which have fixed dates: later lists are to have all of them. */
const lookback = "36500 days"

export const read = ({ layer, onReading, subscription, ...options }, onPage) =>
  Effect.gen(function* () {
    const client = yield* make(options)
    const store = yield* KeyValueStore.KeyValueStore
    // Asked whether to read again, it has read once; asked a second time, it is done.
    const schedule = Schedule.tapInput(Schedule.recurs(1), () => Effect.sync(onReading))
    const changes = client.watch(SubscriptionId.make(subscription), { lookback, schedule, store })
    yield* Stream.runForEach(changes, ({ event }) => Effect.sync(() => onPage([event])))
  }).pipe(Effect.scoped, Effect.provide(Layer.merge(layers[layer], KeyValueStore.layerMemory)), Effect.runPromise)
