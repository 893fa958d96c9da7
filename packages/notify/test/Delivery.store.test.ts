import { describe, expect, it } from "@effect/vitest"
import { type DeliveryStoreError, type Sink } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { brokenLogger, makeDelivery, memory, recorder, storedIn, storeFailure } from "./deliveries.js"
import { notification, note } from "./notifications.js"

describe("the store of a delivery", () => {
  it.effect("contains a notification before the sink gets it, also if it is joined", () =>
    Effect.gen(function* () {
      const { store, texts } = memory(() => Effect.as(Effect.yieldNow, true))
      const isStored: Array<boolean | undefined> = []
      const sink: Sink.Sink = {
        name: "chat",
        deliver: ({ id }) =>
          Effect.sync(() => void isStored.push(texts.get("delivery/chat")?.includes(`"id":"${id}"`))),
      }
      const { deliver, flush } = yield* makeDelivery({ sinks: [sink], store })
      const notifications = ["1", "2", "3", "4"].map((id) => notification({ id, title: id }))
      yield* Effect.forEach(notifications, deliver, { concurrency: "unbounded" })
      yield* flush
      expect(new Set(isStored)).toEqual(new Set([true]))
    }),
  )

  it.effect("is required to accept a notification, not to deliver it", () =>
    Effect.gen(function* () {
      let isBroken = true
      const { store, texts } = memory(() => (isBroken ? Effect.fail(storeFailure) : Effect.succeed(true)))
      const chat = recorder("chat")
      const messages: Array<unknown> = []
      const logger = Logger.make(({ message }) => void messages.push(message))
      yield* Effect.gen(function* () {
        const { deliver, flush } = yield* makeDelivery({ sinks: [chat.sink], store })
        const error: DeliveryStoreError.DeliveryStoreError = yield* Effect.flip(deliver(notification()))
        expect(error).toMatchObject({
          key: "delivery/chat",
          reason: "unavailable",
          isRetryable: true,
          cause: storeFailure,
        })
        yield* flush
        expect(chat.received).toHaveLength(1)
        expect(messages).toEqual([[expect.stringMatching(/^Could not save .*Check the store\.$/), storeFailure]])
        isBroken = false
        // The repeated notification is stored as delivered.
        yield* deliver(notification())
        yield* TestClock.adjust("1 hour")
        expect(chat.attempts).toHaveLength(1)
        expect(storedIn(texts)).toMatchObject({ waiting: [], events: [{ last: { id: "ab12-opened" } }] })
      }).pipe(Effect.provide(Logger.layer([logger])))
    }),
  )

  it.effect("has a defect, as the logger has, and does not end the delivery", () =>
    Effect.gen(function* () {
      let isBroken = true
      const { store } = memory(() => (isBroken ? Effect.die(new Error("a defect")) : Effect.succeed(true)))
      const chat = recorder("chat")
      const { deliver } = yield* makeDelivery({ sinks: [chat.sink], store })
      expect(Exit.hasDies(yield* Effect.exit(deliver(notification())))).toBe(true)
      yield* TestClock.adjust("1 minute")
      isBroken = false
      yield* TestClock.adjust("1 minute")
      expect(chat.received).toHaveLength(1)
    }).pipe(Effect.provide(Logger.layer([brokenLogger]))),
  )

  it.effect("is searched for notifications of sinks that were renamed", () =>
    Effect.gen(function* () {
      const { store } = memory()
      const old = recorder("old", ({ key }) => (key === "a" ? "refuses" : "unavailable"))
      const messages: Array<unknown> = []
      const run = (sink: Sink.Sink) =>
        Effect.flatMap(makeDelivery({ sinks: [sink, recorder("idle").sink], store }), ({ deliver, flush }) =>
          Effect.andThen(
            Effect.forEach(["a", "b", "c"], (key) => deliver(notification({ key }))),
            flush,
          ),
        ).pipe(Effect.scoped)
      yield* run(old.sink)
      yield* Effect.provide(
        run(recorder("new").sink),
        Logger.layer([Logger.make(({ message }) => void messages.push(message))]),
      )
      expect(messages).toEqual([
        [
          'The sink "old" does not exist, but its notifications (2) and dead letters (1) are stored. To send them, give a sink this name. To discard them, remove "delivery/old" from the store.',
        ],
      ])
    }),
  )

  it.effect.each([
    ["{", "unreadable"],
    ['{"delivery":3}', "unreadable"],
    ["an unavailable store", "unavailable"],
  ] as const)("must contain the state of a delivery, not %s", ([text, reason]) =>
    Effect.gen(function* () {
      const { store } = memory()
      yield* store.set("delivery/chat", text)
      const get = reason === "unavailable" ? () => Effect.fail(storeFailure) : store.get
      const error = yield* Effect.flip(
        Effect.scoped(makeDelivery({ sinks: [recorder("chat").sink], store: { ...store, get } })),
      )
      expect(error).toMatchObject({ _tag: "DeliveryStoreError", reason, isRetryable: reason === "unavailable" })
      expect(error.message).toMatch(/^(Could not load|The state in the store under "delivery\/chat" was not written)/)
    }),
  )

  it.effect("continues with what a sink needs that may have missed the resolution before it", () =>
    Effect.gen(function* () {
      const review = note("2", "updated", { status: "Resolved" })
      const next = { notification: review, notBefore: 0 }
      const events = [{ key: review.key, shown: "unsure", openIn: [], next }]
      const { store } = memory(
        undefined,
        JSON.stringify({ delivery: 4, isNew: false, window: null, events, deadLetters: [] }),
      )
      const chat = recorder("chat")
      const { flush } = yield* makeDelivery({ sinks: [chat.sink], store })
      yield* flush
      expect(chat.states()).toEqual(["ab12:resolved"])
    }),
  )

  it.effect("keeps 1,000 events, and removes closed events first", () =>
    Effect.gen(function* () {
      const chat = recorder("chat")
      const idle = Array.from({ length: 1_000 }, (_, index) => ({
        key: `k${index}`,
        shown: index === 500 ? "closed" : "open",
        openIn: [],
      }))
      const stored = { delivery: 4, isNew: false, window: null, events: idle, deadLetters: [] }
      const { store, texts } = memory(undefined, JSON.stringify(stored))
      const { deliver, flush } = yield* makeDelivery({ sinks: [chat.sink], store })
      for (const key of ["k1000", "k1001"]) yield* Effect.andThen(deliver(notification({ id: key, key })), flush)
      const { events } = storedIn(texts)
      expect(events).toHaveLength(1_000)
      expect(events.slice(0, 2)).toMatchObject([{ key: "k1" }, { key: "k2" }])
      expect(events.some(({ key }) => key === "k500")).toBe(false)
    }),
  )
})
