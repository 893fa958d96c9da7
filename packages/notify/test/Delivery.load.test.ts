/** Many changes through several sinks. Counts only, no times. */
import { expect, it } from "@effect/vitest"
import { Delivery } from "@vigil/notify"
import * as Effect from "effect/Effect"
import { memory, recorder } from "./deliveries.js"
import { notification } from "./notifications.js"

const events = 50
const changes = process.env["LARGE_INPUTS"] === undefined ? 2_000 : 10_000

it.live("many changes reach four sinks while a fifth sink fails, for which at most two changes per event wait", () =>
  Effect.gen(function* () {
    let largest = 0
    const failing = recorder("failing", () => "unavailable")
    const sinks = ["a", "b", "c", "d"].map((name) => recorder(name))
    const { store, texts } = memory()
    yield* Effect.scoped(
      Effect.gen(function* () {
        const { deliver, flush, status } = yield* Delivery.make({
          sinks: [failing.sink, ...sinks.map(({ sink }) => sink)],
          store,
        })
        for (let index = 0; index < changes; index++) {
          const state = index < events ? "opened" : "updated"
          yield* deliver(notification({ id: `${index}`, key: `k${index % events}`, state }))
          largest = Math.max(largest, texts.get("delivery/failing")?.length ?? 0)
        }
        yield* flush
        const [first, ...others] = yield* status
        expect(first).toMatchObject({ pending: events, delivered: 0, deadLettered: 0 })
        for (const { pending } of others) expect(pending).toBe(0)
      }),
    )
    for (const { received } of sinks) {
      const last = new Map(received.map(({ id, key }) => [key, Number(id)]))
      expect([...last.values()].toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: events }, (_, index) => changes - events + index),
      )
    }
    expect(largest).toBeLessThan(events * 2 * 1_000)
  }),
)
