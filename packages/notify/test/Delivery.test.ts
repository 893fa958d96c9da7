import { describe, expect, it } from "@effect/vitest"
import { HttpError } from "@vigil/core-http"
import { Delivery, type Notification } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { memory, type Outcome, recorder } from "./deliveries.js"
import { note, routesOf, texts } from "./notifications.js"

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
          retrying: 0,
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

  it.scoped("opens or closes an event by an update if the sink missed the opening or the resolution", () =>
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

  it.scoped("retries with increasing delays of at most 5 minutes", () =>
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
        message: expect.stringContaining("no complete response"),
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

  it.scoped("reports the last error until no event waits for a retry", () =>
    Effect.gen(function* () {
      const failing = new Set(["a", "b"])
      const chat = recorder("chat", ({ key }) => (failing.has(key) ? "unavailable" : "accepts"))
      const { deliver, flush, status } = yield* Delivery.make({ sinks: [chat.sink] })
      for (const key of ["a", "b", "c"]) yield* deliver(note(key, "opened", { key }))
      yield* flush
      const lastError = { message: expect.stringContaining("no complete response") }
      expect(yield* status).toMatchObject([{ pending: 2, retrying: 2, lastError }])
      failing.delete("a")
      yield* TestClock.adjust("1 minute")
      expect(yield* status).toMatchObject([{ pending: 1, retrying: 1, lastError }])
      failing.clear()
      yield* TestClock.adjust("10 minutes")
      expect(yield* status).toMatchObject([{ pending: 0, retrying: 0, delivered: 3, lastError: undefined }])
    }),
  )

  it.effect("does not count an attempt as failed if the end of the delivery interrupts it", () =>
    Effect.gen(function* () {
      const { sink } = recorder("chat", () => "hangs")
      const delivery = yield* Effect.scoped(
        Effect.tap(Delivery.make({ sinks: [sink], closeTimeout: 0 }), ({ deliver }) =>
          Effect.zipRight(deliver(note("1", "opened")), Effect.yieldNow()),
        ),
      )
      expect(yield* delivery.status).toMatchObject([{ pending: 1, failed: 0, lastError: undefined }])
    }),
  )

  it.scoped("sends a notification again if its sink interrupts itself", () =>
    Effect.gen(function* () {
      const { deliver, flush, status } = yield* Delivery.make({
        sinks: [{ name: "chat", deliver: () => Effect.interrupt }],
      })
      yield* deliver(note("1", "opened"))
      yield* flush
      const lastError = { message: "The sink chat was interrupted." }
      expect(yield* status).toMatchObject([{ pending: 1, failed: 1, lastError }])
    }),
  )

  it.scoped("does not send a notification again if one of the requests of its sink is rejected", () =>
    Effect.gen(function* () {
      const rejected = Effect.fail(
        new HttpError.DecodeError({ service: "chat", operation: "x", path: "", reason: "is invalid" }),
      )
      const deliveringTwice = Effect.all([rejected, Effect.never], { concurrency: "unbounded", discard: true })
      const { deadLetters, deliver, flush } = yield* Delivery.make({
        sinks: [{ name: "chat", deliver: () => deliveringTwice }],
      })
      yield* deliver(note("1", "opened"))
      yield* flush
      expect(yield* deadLetters).toMatchObject([{ reason: "refused" }])
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

  it.scoped("delivers other events while some wait, within the concurrency limit", () =>
    Effect.gen(function* () {
      let active = 0
      let maxActive = 0
      const deliverSlowly = Effect.acquireUseRelease(
        Effect.sync(() => {
          active += 1
          maxActive = Math.max(maxActive, active)
        }),
        () => Effect.sleep("1 second"),
        () => Effect.sync(() => void (active -= 1)),
      )
      const fast = recorder("fast")
      const stuck = recorder("stuck", ({ key }) => (key === "k0" ? "unavailable" : "accepts"))
      const slow = { name: "slow", deliver: () => deliverSlowly }
      const { deliver, flush } = yield* Delivery.make({ sinks: [slow, stuck.sink, fast.sink], concurrency: 3 })
      for (let index = 0; index < 10; index++) yield* deliver(note(`${index}`, "opened", { key: `k${index}` }))
      yield* Effect.yieldNow()
      expect(fast.received).toHaveLength(10)
      expect(stuck.received).toHaveLength(9)
      const flushed = yield* Effect.fork(flush)
      yield* TestClock.adjust("4 seconds")
      yield* Fiber.join(flushed)
      expect(maxActive).toBe(3)
    }),
  )

  it.effect.each([
    ["when the scope closes", false],
    ["when the program is interrupted", true],
  ] as const)("finishes within closeTimeout %s", ([, isInterrupted]) =>
    Effect.gen(function* () {
      const delivered = yield* Effect.makeLatch()
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
            deliver(note("1", "opened")).pipe(
              Effect.zipRight(delivered.open),
              Effect.zipRight(isInterrupted ? Effect.never : Effect.void),
            ),
          ),
        ),
      )
      yield* delivered.await
      if (isInterrupted) yield* Effect.fork(Fiber.interrupt(running))
      yield* TestClock.adjust("4 seconds")
      expect(slow.received).toHaveLength(1)
      expect(yield* Fiber.poll(running)).toMatchObject({ _tag: "None" })
      yield* TestClock.adjust("1 second")
      yield* Fiber.await(running)
    }),
  )

  it.effect.each<readonly [string, Partial<Delivery.Options>]>([
    ["concurrency", { concurrency: 0 }],
    ["maxPending", { maxPending: 0.5 }],
    ["maxDeadLetters", { maxDeadLetters: Number.NaN }],
    ["timeout", { timeout: "0 seconds" }],
    ["timeout", { timeout: Number.NaN }],
    ["sinks", { sinks: [recorder("a").sink, recorder("a").sink] }],
    ["repeatEvery", { sinks: [{ ...recorder("a").sink, repeatEvery: 0 }] }],
    ["sinks", { routes: routesOf({ sinks: { b: { type: "slack", url: { env: "A" } } }, routes: [] }) }],
  ])("fails if an option is invalid: %s", ([setting, options]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.scoped(Delivery.make({ sinks: [recorder("a").sink], ...options })))
      expect(error).toMatchObject({ _tag: "InvalidSetting", setting })
    }),
  )

  it.effect("names a repeated or missing sink in the error", () =>
    Effect.gen(function* () {
      const { sink } = recorder("a")
      const routes = routesOf({ sinks: { b: { type: "slack", url: { env: "A" } } }, routes: [] })
      const messageOf = (options: Delivery.Options) =>
        Effect.map(Effect.flip(Effect.scoped(Delivery.make(options))), ({ message }) => message)
      expect(yield* messageOf({ sinks: [sink, sink] })).toContain('distinct names: "a" is repeated.')
      expect(yield* messageOf({ sinks: [sink], routes })).toContain('with the sink "b" of the routes.')
    }),
  )
})
