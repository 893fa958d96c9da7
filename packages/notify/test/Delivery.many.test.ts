/** Many notifications that wait for one sink. */
import { describe, expect, it } from "@effect/vitest"
import { Delivery, type Sink } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { memory, recorder, storedIn } from "./deliveries.js"
import { note } from "./notifications.js"

const many = process.env["LARGE_INPUTS"] === undefined ? 1_000 : 20_000

const opened = Array.from({ length: many }, (_, index) =>
  note(`${index}`, "opened", { key: `k${index}`, text: "x".repeat(500) }),
)

/** The characters of all writes, and a store that ends with a process that is killed. */
const counted = () => {
  let isKilled = false
  const written = { characters: 0, largest: 0 }
  const { store, texts } = memory(() => Effect.sync(() => !isKilled))
  const remove = (key: string) => Effect.suspend(() => (isKilled ? Effect.void : store.remove(key)))
  const set = (key: string, text: string | Uint8Array) =>
    Effect.suspend(() => {
      written.characters += text.length
      written.largest = Math.max(written.largest, text.length)
      return store.set(key, text)
    })
  return {
    store: { ...store, remove, set },
    texts,
    written,
    kill: () => void (isKilled = true),
    restart: () => void (isKilled = false),
  }
}

describe("many notifications in one poll", () => {
  it.effect("are all sent by a sink that takes ten a second, and none is a dead letter", () =>
    Effect.gen(function* () {
      const { store, texts, written } = counted()
      const chat = recorder("chat")
      const deliver: Sink.Sink["deliver"] = (one) => Effect.delay(chat.sink.deliver(one), "400 millis")
      yield* Effect.scoped(
        Effect.gen(function* () {
          const delivery = yield* Delivery.make({ sinks: [{ ...chat.sink, deliver, keepsEvents: true }], store })
          yield* Effect.forEach(opened, delivery.deliver, { concurrency: "unbounded", discard: true })
          expect(yield* delivery.status).toMatchObject([{ pending: many, deadLettered: 0 }])
          const { characters, largest } = written
          for (let second = 0; second < many / 10 + 10; second += 1) yield* TestClock.adjust("1 second")
          expect(yield* delivery.status).toMatchObject([{ pending: 0, delivered: many, deadLettered: 0 }])
          // If each write had all that waits, it would be five times as much.
          expect(written.characters - characters).toBeLessThan((many * largest) / 10)
        }),
      )
      expect(new Set(chat.received.map(({ id }) => id)).size).toBe(many)
      expect(storedIn(texts).waiting).toEqual([])
    }),
  )

  it.effect("are sent after kills, with those that were joined and without those that were sent", () =>
    Effect.gen(function* () {
      const { kill, restart, store, texts } = counted()
      const chat = recorder("chat", ({ key }) => (Number(key.slice(1)) % 3 === 0 ? "unavailable" : "accepts"))
      const run = <A, E>(use: (delivery: Delivery.Service) => Effect.Effect<A, E>, sink = chat.sink) =>
        Effect.gen(function* () {
          const scope = yield* Scope.make()
          const made = Delivery.make({ sinks: [{ ...sink, keepsEvents: true }], store })
          const result = yield* Effect.flatMap(Effect.provideService(made, Scope.Scope, scope), use)
          // What a killed process does later is lost.
          kill()
          yield* Scope.close(scope, Exit.void)
          restart()
          return result
        })
      const first = opened.slice(0, 500)
      yield* run(({ deliver }) => Effect.forEach(first, deliver, { concurrency: "unbounded", discard: true }))
      for (let restarts = 0; restarts < 3; restarts += 1) yield* run(({ flush }) => flush)
      yield* run(({ deliver, flush }) =>
        Effect.andThen(
          flush,
          Effect.forEach(first, ({ key }) => deliver(note(`${key} ended`, "resolved", { key })), {
            concurrency: "unbounded",
          }),
        ),
      )
      // The last one ends by itself, so that one text has all, as other releases read it.
      const rest = recorder("chat")
      yield* Effect.scoped(
        Effect.flatMap(Delivery.make({ sinks: [{ ...rest.sink, keepsEvents: true }], store }), ({ flush }) => flush),
      )
      expect([...texts.keys()]).toEqual(["delivery/chat"])
      expect(storedIn(texts).waiting).toEqual([])
      const last = new Map([...chat.received, ...rest.received].map(({ key, state }) => [key, state]))
      expect(new Set(last.values())).toEqual(new Set(["resolved"]))
      expect(last.size).toBe(500)
    }),
  )

  it.effect("that open for a new sink are one message", () =>
    Effect.gen(function* () {
      const chat = recorder("chat")
      const { deliver, flush, status } = yield* Delivery.make({
        sinks: [chat.sink],
        store: memory(undefined, "").store,
      })
      yield* Effect.forEach(opened, deliver, { concurrency: "unbounded", discard: true })
      yield* flush
      expect(chat.received).toMatchObject([
        { state: "summary", title: expect.stringContaining(`${many} active events`) },
      ])
      expect(yield* status).toMatchObject([{ pending: 0, deadLettered: 0 }])
    }),
  )
})
