import { describe, expect, it } from "@effect/vitest"
import { Delivery, Notification, type Sink } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import { type Outcome, recorder } from "./deliveries.js"
import { note } from "./notifications.js"

describe("while a sink fails", () => {
  it.scoped.each([
    ["", "opened resolved", "resolved 1+2"],
    ["", "opened updated updated", "opened 1, updated 2+3"],
    ["", "opened updated withdrawn", "withdrawn 1+2+3"],
    ["opened", "resolved updated", "resolved 1, updated 2"],
    ["opened", "resolved reopened resolved", "resolved 1+2+3"],
  ] as const)("after the notifications [%s], the notifications [%s] become [%s]", ([before, steps, expected]) =>
    Effect.gen(function* () {
      let outcome: Outcome = "accepts"
      const chat = recorder("chat", () => outcome)
      const { deliver, flush } = yield* Delivery.make({ sinks: [chat.sink] })
      if (before !== "") yield* Effect.zipRight(deliver(note("0", before)), flush)
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
})

describe("a dead letter", () => {
  it.scoped("is a notification that a sink refuses, or for which it throws, and later ones are sent", () =>
    Effect.gen(function* () {
      const chat = recorder("chat", ({ id }) => (id === "1" ? "refuses" : "accepts"))
      const deliverOrThrow: Sink.Sink["deliver"] = (notification) => {
        if (notification.id === "3") throw new TypeError("a defect with a secret")
        return chat.sink.deliver(notification)
      }
      const sinks = [{ name: "chat", deliver: deliverOrThrow }]
      const { deadLetters, deliver, flush, status } = yield* Delivery.make({ sinks })
      yield* Effect.zipRight(deliver(note("1", "opened")), flush)
      yield* deliver(note("2", "updated"))
      yield* Effect.zipRight(deliver(note("3", "opened", { key: "b" })), flush)
      expect(chat.states()).toEqual(["ab12:reopened"])
      expect(yield* status).toMatchObject([{ pending: 0, delivered: 1, failed: 2, deadLettered: 2 }])
      const letter = { sink: "chat", at: "1970-01-01T00:00:00.000Z" }
      expect(yield* deadLetters).toEqual([
        { ...letter, reason: "refused", detail: expect.any(String), notification: note("1", "opened") },
        { ...letter, reason: "failed", detail: expect.any(String), notification: note("3", "opened", { key: "b" }) },
      ])
    }),
  )

  it.scoped("is made from the oldest event if more than 1,000 wait", () =>
    Effect.gen(function* () {
      const chat = recorder("chat", () => "unavailable")
      const { deadLetters, deliver, status } = yield* Delivery.make({ sinks: [chat.sink] })
      for (let index = 0; index < 1_002; index++) yield* deliver(note(`${index}`, "opened", { key: `k${index}` }))
      const overflow = (id: string) => ({ reason: "overflow", notification: { id } })
      expect(yield* deadLetters).toMatchObject([overflow("0"), overflow("1")])
      expect(yield* status).toMatchObject([{ pending: 1_000, deadLettered: 2 }])
    }),
  )
})
