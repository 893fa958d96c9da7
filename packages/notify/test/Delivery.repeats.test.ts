/** Sinks whose targets lose events: the delivery sends the last notification of each open event again. */
import { describe, expect, it } from "@effect/vitest"
import type { Delivery, Sink } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { makeDelivery, memory, type Outcome, recorder } from "./deliveries.js"
import { note, routesOf, texts } from "./notifications.js"

const thrice = Array.from({ length: 3 }, () => ["opened", "1"])

const repeating = (sink: Sink.Sink): Sink.Sink => ({ ...sink, repeatEvery: "1 minute" })

describe("a delivery to a sink that sets `repeatEvery`", () => {
  it.effect("repeats the last notification of an open event, and counts it once", () =>
    Effect.gen(function* () {
      const [chat, alerts] = [recorder("chat"), recorder("alerts")]
      const { deliver, flush, status } = yield* makeDelivery({ sinks: [chat.sink, repeating(alerts.sink)] })
      yield* deliver(note("1", "opened"))
      yield* Effect.repeat(TestClock.adjust("1 minute"), { times: 1 })
      yield* TestClock.adjust("1 second")
      yield* deliver(note("2", "updated"))
      yield* flush
      yield* TestClock.adjust("58 seconds")
      expect(texts(alerts.received)).toEqual([...thrice, ["updated", "2"]])
      yield* TestClock.adjust("1 second")
      expect(texts(alerts.received).at(-1)).toEqual(["updated", "2"])
      yield* deliver(note("3", "resolved"))
      yield* TestClock.adjust("1 hour")
      expect(texts(alerts.received).slice(3)).toEqual([
        ["updated", "2"],
        ["updated", "2"],
        ["resolved", "3"],
      ])
      expect(chat.received).toHaveLength(3)
      expect(yield* status).toMatchObject([{ delivered: 3 }, { delivered: 3, failed: 0, pending: 0 }])
    }),
  )

  it.effect.each<readonly [Outcome]>([["unavailable"], ["refuses"], ["dies"], ["hangs"]])(
    "repeats again after a failure, which does not block other notifications: %s",
    ([failure]) =>
      Effect.gen(function* () {
        let outcome: Outcome = "accepts"
        const { attempts, received, sink } = recorder("alerts", () => outcome)
        const delivery = yield* makeDelivery({ sinks: [repeating(sink)], concurrency: 1 })
        const { deadLetters, deliver, flush, status } = delivery
        yield* deliver(note("1", "opened"))
        yield* deliver(note("2", "opened", { key: "b" }))
        yield* flush
        outcome = failure
        yield* TestClock.adjust("150 seconds")
        expect(attempts.length).toBeGreaterThan(3)
        yield* flush
        expect(yield* status).toMatchObject([{ delivered: 2, failed: 0, pending: 0, lastError: undefined }])
        expect(yield* deadLetters).toEqual([])
        outcome = "accepts"
        yield* deliver(note("3", "updated"))
        yield* deliver(note("4", "opened", { key: "c" }))
        yield* flush
        expect(texts(received.slice(2))).toEqual(
          expect.arrayContaining([
            ["updated", "3"],
            ["opened", "4"],
          ]),
        )
        const { length } = received
        yield* TestClock.adjust("3 minutes")
        expect(new Set(received.slice(length).map(({ id }) => id))).toEqual(new Set(["2", "3", "4"]))
      }),
  )

  it.effect("does not repeat a notification if a later one may have arrived", () =>
    Effect.gen(function* () {
      let outcome: Outcome = "accepts"
      const { attempts, sink } = recorder("alerts", () => outcome)
      const { deliver, flush } = yield* makeDelivery({ sinks: [repeating(sink)] })
      yield* deliver(note("1", "opened"))
      yield* flush
      outcome = "unavailable"
      yield* deliver(note("2", "resolved"))
      yield* TestClock.adjust("1 hour")
      expect(attempts.filter((attempt) => attempt === "ab12:opened")).toHaveLength(1)
    }),
  )

  it.effect("repeats the last delivered notification while an update is held back", () =>
    Effect.gen(function* () {
      const routes = routesOf({
        sinks: { alerts: { type: "slack", url: { env: "A" } } },
        routes: [{ groupFor: "150 seconds", to: "alerts" }],
      })
      const { received, sink } = recorder("alerts")
      const { deliver, flush } = yield* makeDelivery({ sinks: [repeating(sink)], routes })
      yield* deliver(note("1", "opened"))
      yield* flush
      yield* deliver(note("2", "updated"))
      yield* TestClock.adjust("150 seconds")
      expect(texts(received)).toEqual([...thrice, ["updated", "2"]])
    }),
  )

  it.effect("repeats at once after a restart, also of a paused delivery, unless the sink does not set it", () =>
    Effect.gen(function* () {
      const { store } = memory()
      const { received, sink } = recorder("alerts", ({ key }) => (key === "refused" ? "refuses" : "accepts"))
      /** The IDs that the sink gets in a run. */
      const run = (options: Partial<Delivery.Options>, ...ids: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const before = received.length
          const delivery = yield* makeDelivery({ sinks: [repeating(sink)], store, ...options })
          for (const id of ids) yield* delivery.deliver(note(id, "opened", { key: id }))
          yield* TestClock.adjust("1 second")
          yield* delivery.removeDeadLetters("alerts", ["refused"])
          return received.slice(before).map(({ id }) => id)
        }).pipe(Effect.scoped)
      const stub = { name: "alerts", deliver: () => Effect.void }
      expect(yield* run({}, "1", "refused", "2")).toEqual(["1", "2"])
      expect(yield* run({ sinks: [stub], paused: true })).toEqual([])
      expect(yield* run({})).toEqual(["1", "2"])
      expect(yield* run({ sinks: [sink] }, "3")).toEqual(["3"])
      expect(yield* run({})).toEqual(["1", "2"])
    }),
  )

  it.effect("repeats an event for 30 days, unless it changes", () =>
    Effect.gen(function* () {
      const { received, sink } = recorder("alerts")
      const { deliver } = yield* makeDelivery({ sinks: [{ ...sink, repeatEvery: "1 day" }] })
      yield* deliver(note("1", "opened"))
      yield* TestClock.adjust("5 days")
      yield* deliver(note("2", "updated"))
      yield* TestClock.adjust("35 days")
      expect(received.filter(({ id }) => id === "2")).toHaveLength(30)
    }),
  )
})
