import { describe, expect, it } from "@effect/vitest"
import { RequestError, StatusReason } from "@vigil/core-http"
import { Delivery, Notification, type Sink } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { brokenLogger, makeDelivery, memory, type Outcome, recorder, storedIn } from "./deliveries.js"
import { note } from "./notifications.js"

describe("while a sink fails", () => {
  it.effect.each([
    ["", "opened resolved", "resolved 1+2"],
    ["", "opened updated updated", "opened 1, updated 2+3"],
    ["", "opened updated withdrawn", "withdrawn 1+2+3"],
    ["", "opened withdrawn opened", "withdrawn 1+2, reopened 3"],
    ["opened", "updated updated updated", "updated 1+2+3"],
    ["opened", "resolved updated", "resolved 1, updated 2"],
    ["opened", "resolved reopened resolved", "resolved 1+2+3"],
    ["opened", "resolved reopened updated", "resolved 1, reopened 2+3"],
  ] as const)("after the notifications [%s], the notifications [%s] become [%s]", ([before, steps, expected]) =>
    Effect.gen(function* () {
      let outcome: Outcome = "accepts"
      const chat = recorder("chat", () => outcome)
      const { deliver, flush } = yield* makeDelivery({ sinks: [chat.sink] })
      if (before !== "") yield* Effect.andThen(deliver(note("0", before)), flush)
      outcome = "unavailable"
      let status = "Active"
      for (const [index, step] of steps.split(" ").entries()) {
        const state = Schema.decodeUnknownSync(Notification.State)(step)
        if (state !== "updated") status = state === "resolved" ? "Resolved" : "Active"
        yield* deliver(note(`${index + 1}`, state, { status }))
        yield* TestClock.adjust("10 minutes")
      }
      outcome = "accepts"
      yield* TestClock.adjust("10 minutes")
      const received = chat.received.filter(({ id }) => id !== "0")
      expect(received.map(({ state, text }) => `${state} ${text.replaceAll("\n\n", "+")}`).join(", ")).toBe(expected)
    }),
  )

  it.effect("joined texts keep the limit, and the last text is complete", () =>
    Effect.gen(function* () {
      let outcome: Outcome = "accepts"
      const chat = recorder("chat", () => outcome)
      const { deliver, flush } = yield* makeDelivery({ sinks: [chat.sink] })
      yield* deliver(note("0", "opened"))
      yield* deliver(note("0", "opened", { key: "b" }))
      yield* flush
      outcome = "unavailable"
      yield* deliver(note("1", "updated", { text: "a".repeat(3_000) }))
      yield* flush
      yield* deliver(note("2", "updated", { text: "b".repeat(2_000) }))
      yield* deliver(note("3", "updated", { key: "b", text: "a" }))
      yield* deliver(note("4", "updated", { key: "b", text: "b".repeat(4_000) }))
      outcome = "accepts"
      yield* TestClock.adjust("1 minute")
      expect(chat.received.map(({ text }) => text).toSorted()).toEqual([
        "0",
        "0",
        `${"a".repeat(1_997)}…\n\n${"b".repeat(2_000)}`,
        "b".repeat(4_000),
      ])
    }),
  )
})

it.effect.each([
  ["has no message", { value: undefined }],
  ["throws for its message", { get: () => expect.fail("a defect") }],
] as const)("sends a notification again after an error that %s", ([, message]) =>
  Effect.gen(function* () {
    let attempts = 0
    const refusal = new RequestError.RequestError({
      service: "chat",
      operation: "Sink.deliver",
      reason: new StatusReason.NotFound({ status: 404 }),
      maybeApplied: false,
    })
    const error = Object.defineProperty(refusal, "message", message)
    const sink = { name: "chat", deliver: () => (attempts++ === 0 ? Effect.fail(error) : Effect.void) }
    const { deliver, status } = yield* makeDelivery({ sinks: [sink] })
    yield* deliver(note("1", "opened"))
    yield* TestClock.adjust("1 minute")
    expect(yield* status).toMatchObject([{ pending: 0, delivered: 1 }])
    expect(attempts).toBe(2)
  }).pipe(Effect.provide(Logger.layer([brokenLogger]))),
)

describe("a dead letter", () => {
  it.effect("is a notification that a sink refuses, or for which it throws, and later ones are sent", () =>
    Effect.gen(function* () {
      const { store } = memory()
      const chat = recorder("chat", ({ id }) => (id === "1" ? "refuses" : "accepts"))
      const deliverOrThrow: Sink.Sink["deliver"] = (notification) => {
        if (notification.id === "3") throw new TypeError("a defect with a secret")
        return chat.sink.deliver(notification)
      }
      const make = makeDelivery({ sinks: [{ name: "chat", deliver: deliverOrThrow }], store })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { deliver, flush, status } = yield* make
          yield* deliver(note("1", "opened"))
          yield* flush
          yield* deliver(note("2", "updated"))
          yield* deliver(note("3", "opened", { key: "b" }))
          yield* flush
          expect(chat.states()).toEqual(["ab12:reopened"])
          expect(yield* status).toMatchObject([{ pending: 0, delivered: 1, failed: 2, deadLettered: 2 }])
        }),
      )
      const { deadLetters, removeDeadLetters } = yield* make
      const letter = { sink: "chat", at: "1970-01-01T00:00:00.000Z" }
      expect(yield* deadLetters).toEqual([
        {
          ...letter,
          reason: "refused",
          detail: expect.stringContaining("responded 404"),
          notification: note("1", "opened"),
        },
        {
          ...letter,
          reason: "failed",
          detail: "The sink chat has a defect: TypeError.",
          notification: note("3", "opened", { key: "b" }),
        },
      ])
      yield* removeDeadLetters("chat", ["1"])
      expect((yield* (yield* make).deadLetters).map(({ notification: { id } }) => id)).toEqual(["3"])
    }),
  )

  it.effect("of the lowest level is dropped if there are more than 1,000", () =>
    Effect.gen(function* () {
      const sink = { ...recorder("chat", () => "refuses").sink, keepsEvents: true }
      const { deadLetters, deliver, flush, status } = yield* Delivery.make({ sinks: [sink] })
      for (let index = 0; index < 1_002; index++)
        yield* deliver(
          note(`${index}`, "opened", { key: `k${index}`, level: index === 0 ? "Critical" : "Informational" }),
        )
      yield* flush
      const ids = new Set((yield* deadLetters).map(({ notification: { id } }) => id))
      expect(["0", "1", "2", "1001"].map((id) => ids.has(id))).toEqual([true, false, false, true])
      expect(yield* deadLetters).toHaveLength(1_000)
      expect(yield* status).toMatchObject([{ pending: 0, deadLettered: 1_002 }])
    }),
  )

  it.effect("may be a summary, whose events then wait for it no longer", () =>
    Effect.gen(function* () {
      const event = (key: string, fields: object = {}) => ({
        key,
        shown: "unknown",
        openIn: [],
        current: note(key, key === "s" ? "summary" : "opened", { key }),
        ...fields,
      })
      const events = [event("s"), event("a", { summary: "s" })]
      const stored = JSON.stringify({ delivery: 4, isNew: false, window: null, events, deadLetters: [] })
      const { store, texts } = memory(undefined, stored)
      const chat = recorder("chat", ({ id }) => (id === "s" ? "refuses" : "unavailable"))
      const { deadLetters, deliver, flush } = yield* makeDelivery({ sinks: [chat.sink], store })
      yield* flush
      yield* deliver(note("2", "updated", { key: "a" }))
      yield* flush
      expect((yield* deadLetters).map(({ notification: { id } }) => id)).toEqual(["s"])
      const after = storedIn(texts).events.find(({ key }) => key === "a")
      expect(after).toMatchObject({ shown: "unsure", next: { notification: { id: "2" } } })
      expect(after).not.toHaveProperty("summary")
    }),
  )
})
