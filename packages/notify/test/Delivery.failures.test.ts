import { describe, expect, it } from "@effect/vitest"
import { Delivery, type Notification, type Sink } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { memory, type Outcome, recorder } from "./deliveries.js"
import { note, texts } from "./notifications.js"

describe("while a sink fails", () => {
  type Step = readonly [id: string, state: Notification.State]

  /** The notifications that the sink gets after it was unavailable during `steps`. It first accepts the notifications `before`. */
  const received = (steps: ReadonlyArray<Step>, before: ReadonlyArray<Step> = []) =>
    Effect.gen(function* () {
      let outcome: Outcome = "accepts"
      const chat = recorder("chat", () => outcome)
      const { deliver, flush } = yield* Delivery.make({ sinks: [chat.sink] })
      for (const [id, state] of before) {
        yield* deliver(note(id, state))
        yield* flush
      }
      outcome = "unavailable"
      let status = "Active"
      for (const [id, state] of steps) {
        if (state !== "updated") status = state === "resolved" ? "Resolved" : "Active"
        yield* deliver(note(id, state, { status }))
        yield* TestClock.adjust("10 minutes")
      }
      outcome = "accepts"
      yield* TestClock.adjust("10 minutes")
      return texts(chat.received.slice(before.length))
    })

  const opened: ReadonlyArray<Step> = [["0", "opened"]]

  it.scoped.each<
    readonly [ReadonlyArray<Step>, ReadonlyArray<Step>, ReadonlyArray<readonly [Notification.State, string]>]
  >([
    [
      [],
      [
        ["1", "opened"],
        ["2", "resolved"],
      ],
      [["resolved", "1\n\n2"]],
    ],
    [
      [],
      [
        ["1", "opened"],
        ["2", "updated"],
        ["3", "updated"],
      ],
      [
        ["opened", "1"],
        ["updated", "2\n\n3"],
      ],
    ],
    [
      [],
      [
        ["1", "opened"],
        ["2", "updated"],
        ["3", "withdrawn"],
      ],
      [["withdrawn", "1\n\n2\n\n3"]],
    ],
    [
      [],
      [
        ["1", "opened"],
        ["2", "withdrawn"],
        ["3", "opened"],
      ],
      [
        ["withdrawn", "1\n\n2"],
        ["reopened", "3"],
      ],
    ],
    [
      opened,
      [
        ["1", "updated"],
        ["2", "updated"],
        ["3", "updated"],
      ],
      [["updated", "1\n\n2\n\n3"]],
    ],
    [
      opened,
      [
        ["1", "resolved"],
        ["2", "updated"],
      ],
      [
        ["resolved", "1"],
        ["updated", "2"],
      ],
    ],
    [
      opened,
      [
        ["1", "resolved"],
        ["2", "reopened"],
        ["3", "resolved"],
      ],
      [["resolved", "1\n\n2\n\n3"]],
    ],
    [
      opened,
      [
        ["1", "resolved"],
        ["2", "reopened"],
        ["3", "updated"],
      ],
      [
        ["resolved", "1"],
        ["reopened", "2\n\n3"],
      ],
    ],
  ])("after the notifications %j, the notifications %j become %j", ([before, steps, expected]) =>
    Effect.map(received(steps, before), (actual) => expect(actual).toEqual(expected)),
  )

  it.scoped("joined texts keep the limit, and the last text is complete", () =>
    Effect.gen(function* () {
      let outcome: Outcome = "accepts"
      const chat = recorder("chat", () => outcome)
      const { deliver, flush } = yield* Delivery.make({ sinks: [chat.sink] })
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

describe("a dead letter", () => {
  it.scoped("is a notification that a sink refuses, or that causes a defect", () =>
    Effect.gen(function* () {
      const { store } = memory()
      const chat = recorder("chat", ({ id }) => (id === "1" ? "refuses" : id === "3" ? "dies" : "accepts"))
      const make = Delivery.make({ sinks: [chat.sink], store })
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

  it.scoped("is a notification for which a sink throws, and later notifications of the event are sent", () =>
    Effect.gen(function* () {
      const received: Array<string> = []
      const sink: Sink.Sink = {
        name: "chat",
        deliver: ({ id }) => {
          if (id === "1") throw new TypeError("a secret")
          return Effect.sync(() => void received.push(id))
        },
      }
      const { deadLetters, deliver, flush } = yield* Delivery.make({ sinks: [sink] })
      yield* deliver(note("1", "opened"))
      yield* flush
      yield* deliver(note("2", "updated"))
      yield* flush
      expect(yield* deadLetters).toMatchObject([
        { reason: "failed", detail: "The sink chat has a defect: TypeError.", notification: { id: "1" } },
      ])
      expect(received).toEqual(["2"])
    }),
  )

  it.effect("is removed if the limit is lowered", () =>
    Effect.gen(function* () {
      const { store } = memory()
      const chat = recorder("chat", () => "refuses")
      const idsAfter = (maxDeadLetters: number, ...ids: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const { deadLetters, deliver, flush } = yield* Delivery.make({ sinks: [chat.sink], store, maxDeadLetters })
          for (const id of ids) yield* deliver(note(id, "opened", { key: id }))
          yield* flush
          return (yield* deadLetters).map(({ notification }) => notification.id)
        }).pipe(Effect.scoped)
      expect(yield* idsAfter(4, "1", "2", "3", "4")).toEqual(["1", "2", "3", "4"])
      expect(yield* idsAfter(2)).toEqual(["3", "4"])
      expect(yield* idsAfter(2, "5")).toEqual(["4", "5"])
    }),
  )

  it.scoped("is made from the oldest event if too many events wait, and the oldest dead letter is removed", () =>
    Effect.gen(function* () {
      const chat = recorder("chat", () => "unavailable")
      const { deadLetters, deliver, flush, status } = yield* Delivery.make({
        sinks: [chat.sink],
        maxPending: 3,
        maxDeadLetters: 4,
      })
      for (let index = 0; index < 8; index++) {
        yield* deliver(note(`${index}`, "opened", { key: `k${index}` }))
        yield* flush
        yield* deliver(note(`${index} again`, "updated", { key: `k${index}` }))
      }
      const letters = yield* deadLetters
      expect(letters.map(({ notification: { id } }) => id)).toEqual(["3", "3 again", "4", "4 again"])
      expect(letters[0]).toMatchObject({
        reason: "overflow",
        detail: "More than 3 events were waiting for the sink.",
      })
      expect(yield* status).toMatchObject([{ pending: 3, deadLettered: 10 }])
    }),
  )
})
