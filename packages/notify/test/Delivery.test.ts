import { describe, expect, it } from "@effect/vitest"
import { Delivery, type Notification } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { memory, type Outcome, recorder } from "./deliveries.js"
import { notification, routesOf } from "./notifications.js"

/** A notification with an ID, and a text that is its ID. */
const note = (id: string, state: Notification.State, fields: Partial<Notification.Notification> = {}) =>
  notification({ id, state, text: id, ...fields })

const texts = (received: ReadonlyArray<Notification.Notification>) => received.map(({ state, text }) => [state, text])

describe("a delivery", () => {
  it.scoped("delivers to every sink, in order per event", () =>
    Effect.gen(function* () {
      const [one, two] = [recorder("one"), recorder("two")]
      const { deliver, flush, status } = yield* Delivery.make({ sinks: [one.sink, two.sink] })
      yield* deliver(note("1", "opened"))
      yield* flush
      yield* deliver(note("2", "updated"))
      yield* deliver(note("3", "opened", { key: "other" }))
      yield* flush
      yield* deliver(note("4", "resolved"))
      yield* flush
      expect(one.states()).toEqual(["ab12:opened", "ab12:updated", "other:opened", "ab12:resolved"])
      expect(two.states()).toEqual(one.states())
      expect(yield* status).toEqual(
        ["one", "two"].map((sink) => ({
          sink,
          pending: 0,
          delivered: 4,
          failed: 0,
          deadLettered: 0,
          lastError: undefined,
        })),
      )
    }),
  )

  it.scoped("ignores a repeated notification, also after a restart", () =>
    Effect.gen(function* () {
      const { store } = memory()
      const chat = recorder("chat")
      const run = Effect.scoped(
        Effect.gen(function* () {
          const { deliver } = yield* Delivery.make({ sinks: [chat.sink], store })
          yield* deliver(note("1", "opened"))
          yield* deliver(note("1", "opened"))
        }),
      )
      yield* run
      yield* run
      expect(chat.attempts).toEqual(["ab12:opened"])
    }),
  )

  it.scoped("opens an event once", () =>
    Effect.gen(function* () {
      const chat = recorder("chat")
      const { deliver, flush } = yield* Delivery.make({ sinks: [chat.sink] })
      for (const [id, state] of [
        ["1", "opened"],
        ["2", "opened"],
        ["3", "withdrawn"],
        ["4", "opened"],
      ] as const) {
        yield* deliver(note(id, state))
        yield* flush
      }
      expect(texts(chat.received)).toEqual([
        ["opened", "1"],
        ["updated", "2"],
        ["withdrawn", "3"],
        ["reopened", "4"],
      ])
    }),
  )

  it.scoped("opens or closes an event by an update if the sink has missed that", () =>
    Effect.gen(function* () {
      const chat = recorder("chat")
      const { deliver, flush } = yield* Delivery.make({ sinks: [chat.sink] })
      const statuses = ["Active", "Resolved", "Resolved", "Active", "Other"]
      for (const [index, status] of statuses.entries()) {
        yield* deliver(note(`${index}`, index === 0 ? "opened" : "updated", { status }))
        yield* flush
      }
      expect(chat.received.map(({ state }) => state)).toEqual(["opened", "resolved", "updated", "reopened", "updated"])
    }),
  )

  it.scoped("retries with longer and longer waits, at most 5 minutes", () =>
    Effect.gen(function* () {
      const chat = recorder("chat", () => "unavailable")
      const { deliver, status } = yield* Delivery.make({ sinks: [chat.sink] })
      yield* deliver(note("1", "opened"))
      yield* TestClock.adjust("1 second")
      expect(chat.attempts).toHaveLength(2)
      yield* TestClock.adjust("1 hour")
      const { length } = chat.attempts
      expect(yield* status).toMatchObject([{ pending: 1, delivered: 0, failed: length }])
      expect(length).toBeLessThan(40)
      yield* TestClock.adjust("5 minutes")
      expect(chat.attempts.length).toBeGreaterThan(length)
      expect((yield* status)[0]?.lastError).toMatchObject({
        message: expect.stringContaining("no response"),
        at: expect.stringMatching(/^1970-01-01T01:0\d:\d\d\.\d{3}Z$/),
      })
    }),
  )

  it.scoped("waits as long as the sink requests", () =>
    Effect.gen(function* () {
      let outcome: Outcome = "busy"
      const chat = recorder("chat", () => outcome)
      const { deliver, flush } = yield* Delivery.make({ sinks: [chat.sink] })
      yield* deliver(note("1", "opened"))
      yield* flush
      outcome = "accepts"
      yield* TestClock.adjust("599 seconds")
      expect(chat.attempts).toHaveLength(1)
      yield* TestClock.adjust("1 second")
      expect(chat.received).toHaveLength(1)
    }),
  )

  it.scoped("sends a notification again if the sink does not finish in time", () =>
    Effect.gen(function* () {
      let outcome: Outcome = "hangs"
      const chat = recorder("chat", () => outcome)
      const { deliver, status } = yield* Delivery.make({ sinks: [chat.sink], timeout: "20 seconds" })
      yield* deliver(note("1", "opened"))
      yield* TestClock.adjust("20 seconds")
      expect((yield* status)[0]?.lastError?.message).toBe("The sink chat did not finish within 20s.")
      outcome = "accepts"
      yield* TestClock.adjust("1 second")
      expect(chat.received).toHaveLength(1)
    }),
  )

  it.scoped("delivers other events while some wait, at most as many at once as allowed", () =>
    Effect.gen(function* () {
      let active = 0
      let most = 0
      const held = Effect.acquireUseRelease(
        Effect.sync(() => {
          active += 1
          most = Math.max(most, active)
        }),
        () => Effect.sleep("1 second"),
        () => Effect.sync(() => void (active -= 1)),
      )
      const fast = recorder("fast")
      const stuck = recorder("stuck", ({ key }) => (key === "k0" ? "unavailable" : "accepts"))
      const slow = { name: "slow", deliver: () => held }
      const { deliver, flush } = yield* Delivery.make({ sinks: [slow, stuck.sink, fast.sink], concurrency: 3 })
      for (let index = 0; index < 10; index++) yield* deliver(note(`${index}`, "opened", { key: `k${index}` }))
      yield* Effect.yieldNow()
      expect(fast.received).toHaveLength(10)
      expect(stuck.received).toHaveLength(9)
      const flushed = yield* Effect.fork(flush)
      yield* TestClock.adjust("4 seconds")
      yield* Fiber.join(flushed)
      expect(most).toBe(3)
    }),
  )

  it.scoped("holds notifications back until quiet hours end, and delivers the last state", () =>
    Effect.gen(function* () {
      // The test clock starts at midnight.
      const routes = routesOf({
        sinks: { chat: { type: "slack", url: { env: "A" } } },
        routes: [
          {
            match: { status: "Active" },
            quietHours: { from: "22:00", to: "07:00", timeZone: "UTC", except: "Critical" },
            to: "chat",
          },
        ],
      })
      const { store } = memory()
      const chat = recorder("chat")
      const open = Delivery.make({ sinks: [chat.sink], routes, store })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { deliver, flush } = yield* open
          const level = "Warning"
          yield* deliver(note("1", "opened", { level }))
          yield* deliver(note("2", "updated", { level }))
          yield* deliver(note("3", "opened", { level, key: "b" }))
          // No route matches a resolution, but the sink was to get the opening.
          yield* deliver(note("4", "resolved", { level, key: "b", status: "Resolved" }))
          yield* deliver(note("5", "resolved", { level, key: "c", status: "Resolved" }))
          yield* deliver(note("6", "opened", { level, key: "d" }))
          yield* deliver(note("7", "updated", { key: "d" }))
          yield* flush
          expect(texts(chat.received)).toEqual([["opened", "6\n\n7"]])
          yield* deliver(note("8", "resolved", { level, key: "d", status: "Resolved" }))
          yield* flush
          expect(texts(chat.received).slice(1)).toEqual([["resolved", "8"]])
        }),
      )
      yield* open
      yield* TestClock.adjust("419 minutes")
      expect(chat.received).toHaveLength(2)
      yield* TestClock.adjust("1 minute")
      expect(texts(chat.received).slice(2).toSorted()).toEqual([
        ["opened", "1\n\n2"],
        ["resolved", "3\n\n4"],
      ])
    }),
  )

  it.scoped("joins the updates of a time", () =>
    Effect.gen(function* () {
      const routes = routesOf({
        sinks: { chat: { type: "slack", url: { env: "A" } } },
        routes: [{ groupFor: "5 minutes", to: "chat" }],
      })
      const chat = recorder("chat")
      const { deliver, flush } = yield* Delivery.make({ sinks: [chat.sink], routes })
      yield* deliver(note("1", "opened"))
      yield* flush
      yield* deliver(note("2", "updated"))
      yield* TestClock.adjust("4 minutes")
      yield* deliver(note("3", "updated"))
      yield* TestClock.adjust("1 minute")
      yield* deliver(note("4", "updated"))
      yield* deliver(note("5", "resolved"))
      yield* flush
      expect(texts(chat.received)).toEqual([
        ["opened", "1"],
        ["updated", "2\n\n3"],
        ["resolved", "4\n\n5"],
      ])
    }),
  )

  it.effect("finishes within its time when the scope closes", () =>
    Effect.gen(function* () {
      const slow = recorder("slow")
      const hanging = recorder("hanging", () => "hangs")
      const sinks = [
        {
          ...slow.sink,
          deliver: (sent: Notification.Notification) => Effect.delay(slow.sink.deliver(sent), "3 seconds"),
        },
        hanging.sink,
      ]
      const running = yield* Effect.fork(
        Effect.scoped(
          Effect.flatMap(Delivery.make({ sinks, closeTimeout: "5 seconds" }), ({ deliver }) =>
            deliver(note("1", "opened")),
          ),
        ),
      )
      yield* TestClock.adjust("4 seconds")
      expect(slow.received).toHaveLength(1)
      expect(yield* Fiber.poll(running)).toMatchObject({ _tag: "None" })
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(running)
    }),
  )

  it.effect.each<readonly [string, Partial<Delivery.Options>]>([
    ["concurrency", { concurrency: 0 }],
    ["maxPending", { maxPending: 0.5 }],
    ["maxDeadLetters", { maxDeadLetters: Number.NaN }],
    ["sinks", { sinks: [recorder("a").sink, recorder("a").sink] }],
    ["sinks", { routes: routesOf({ sinks: { b: { type: "slack", url: { env: "A" } } }, routes: [] }) }],
  ])("fails if an option is invalid: %s", ([setting, options]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.scoped(Delivery.make({ sinks: [recorder("a").sink], ...options })))
      expect(error).toMatchObject({ _tag: "InvalidSetting", setting })
    }),
  )
})

describe("while a sink fails", () => {
  type Step = readonly [id: string, state: Notification.State]

  /** What the sink gets after it was unavailable for the first `during` steps, each sent at least once. */
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
  ])("after %j, %j becomes %j", ([before, steps, expected]) =>
    Effect.map(received(steps, before), (actual) => expect(actual).toEqual(expected)),
  )

  it.scoped("joined texts keep their limit, and the last one whole", () =>
    Effect.gen(function* () {
      let outcome: Outcome = "unavailable"
      const chat = recorder("chat", () => outcome)
      const { deliver, flush } = yield* Delivery.make({ sinks: [chat.sink] })
      yield* deliver(note("1", "updated", { text: "a".repeat(3_000) }))
      yield* flush
      yield* deliver(note("2", "updated", { text: "b".repeat(2_000) }))
      yield* deliver(note("3", "updated", { key: "b", text: "a" }))
      yield* deliver(note("4", "updated", { key: "b", text: "b".repeat(4_000) }))
      outcome = "accepts"
      yield* TestClock.adjust("1 minute")
      expect(chat.received.map(({ text }) => text).toSorted()).toEqual([
        `${"a".repeat(1_997)}…\n\n${"b".repeat(2_000)}`,
        "b".repeat(4_000),
      ])
    }),
  )
})

describe("a dead letter", () => {
  it.scoped("is what a sink refuses for good, or cannot process", () =>
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

  it.scoped("is the oldest if too many events wait, and the oldest dead letter is removed", () =>
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
