import { describe, expect, it } from "@effect/vitest"
import { Delivery, type DeliveryStoreError } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { memory, recorder, storeFailure } from "./deliveries.js"
import { notification } from "./notifications.js"

describe("the store of a delivery", () => {
  it.scoped("is required to accept a notification, not to deliver it", () =>
    Effect.gen(function* () {
      let isBroken = true
      const { store, texts } = memory(() => (isBroken ? Effect.fail(storeFailure) : Effect.succeed(true)))
      const chat = recorder("chat")
      const { deliver, flush } = yield* Delivery.make({ sinks: [chat.sink], store })
      const error: DeliveryStoreError.DeliveryStoreError = yield* Effect.flip(deliver(notification()))
      expect(error).toMatchObject({
        key: "delivery/chat",
        reason: "unavailable",
        retryable: true,
        cause: storeFailure,
      })
      yield* flush
      expect(chat.received).toHaveLength(1)
      isBroken = false
      // The repeated notification is stored as delivered.
      yield* deliver(notification())
      yield* TestClock.adjust("1 hour")
      expect(chat.attempts).toHaveLength(1)
      expect(JSON.parse(texts.get("delivery/chat") ?? "")).toMatchObject({
        waiting: [],
        versions: [{ ids: ["ab12-opened"] }],
      })
    }),
  )

  it.effect.each([
    ["{", "unreadable"],
    ['{"delivery":2}', "unreadable"],
    ["an unavailable store", "unavailable"],
  ] as const)("must contain the state of a delivery, not %s", ([text, reason]) =>
    Effect.gen(function* () {
      const { store } = memory()
      yield* store.set("delivery/chat", text)
      const get = reason === "unavailable" ? () => Effect.fail(storeFailure) : store.get
      const error = yield* Effect.flip(
        Effect.scoped(Delivery.make({ sinks: [recorder("chat").sink], store: { ...store, get } })),
      )
      expect(error).toMatchObject({ _tag: "DeliveryStoreError", reason, retryable: reason === "unavailable" })
      expect(error.message).toMatch(/^(Could not load|The state in the store under "delivery\/chat" was not written)/)
    }),
  )

  it.scoped("keeps 1,000 events, and removes closed events first", () =>
    Effect.gen(function* () {
      const { store, texts } = memory()
      const { deliver, flush } = yield* Delivery.make({ sinks: [recorder("chat").sink], store })
      const keys = Array.from({ length: 1_002 }, (_, index) => ({ key: `k${index}` }))
      for (const { key } of keys) yield* deliver(notification({ key, state: key === "k500" ? "resolved" : "opened" }))
      yield* flush
      const kept = keys.toSpliced(500, 1).slice(1)
      expect(JSON.parse(texts.get("delivery/chat") ?? "")).toMatchObject({ events: kept, versions: kept })
    }),
  )
})
