import * as Latch from "effect/Latch"
import { describe, expect, it } from "@effect/vitest"
import { Reason, RequestError } from "@vigil/core-http"
import type { Delivery, Notification, Sink } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { makeDelivery, type Outcome, recorder } from "./deliveries.js"
import { note, routesOf } from "./notifications.js"

describe("a delivery", () => {
  it.effect("delivers to every sink, in order per event", () =>
    Effect.gen(function* () {
      const [one, two] = [recorder("one"), recorder("two")]
      const { deliver, flush, status } = yield* makeDelivery({ sinks: [one.sink, two.sink] })
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

  it.effect.each<readonly [string, ReadonlyArray<readonly [Notification.State, string?]>, string]>([
    ["once", [["opened"], ["opened"], ["withdrawn"], ["opened"]], "opened updated withdrawn reopened"],
    [
      "or closes it by an update if the sink missed the opening or the resolution",
      [["opened"], ["updated", "Resolved"], ["updated", "Resolved"], ["updated", "Active"], ["updated", "Other"]],
      "opened resolved updated reopened updated",
    ],
  ])("opens an event %s", ([, notifications, expected]) =>
    Effect.gen(function* () {
      const chat = recorder("chat")
      const { deliver, flush } = yield* makeDelivery({ sinks: [chat.sink] })
      for (const [index, [state, status = "Active"]] of notifications.entries())
        yield* Effect.andThen(deliver(note(`${index}`, state, { status })), flush)
      expect(chat.received.map(({ state }) => state).join(" ")).toBe(expected)
    }),
  )

  it.effect("retries with increasing delays of at most 5 minutes, or as long as the sink requests", () =>
    Effect.gen(function* () {
      const chat = recorder("chat", () => "unavailable")
      const busy = recorder("busy", () => "busy")
      const { deliver, status } = yield* makeDelivery({ sinks: [chat.sink, busy.sink] })
      yield* deliver(note("1", "opened"))
      yield* TestClock.adjust("1 second")
      expect(chat.attempts).toHaveLength(2)
      yield* TestClock.adjust("598 seconds")
      expect(busy.attempts).toHaveLength(1)
      yield* TestClock.adjust("50 minutes")
      const { length } = chat.attempts
      expect(yield* status).toMatchObject([{ pending: 1, delivered: 0, failed: length }, {}])
      expect(length).toBeLessThan(35)
      expect(busy.attempts).toHaveLength(6)
      yield* TestClock.adjust("5 minutes")
      expect(chat.attempts.length).toBeGreaterThan(length)
    }),
  )

  it.effect("reports the last error until no event waits for a retry", () =>
    Effect.gen(function* () {
      const failing = new Set(["a", "b"])
      const chat = recorder("chat", ({ key }) => (failing.has(key) ? "unavailable" : "accepts"))
      const { deliver, flush, status } = yield* makeDelivery({ sinks: [chat.sink] })
      for (const key of ["a", "b", "c"]) yield* deliver(note(key, "opened", { key }))
      yield* flush
      const lastError = { message: expect.stringContaining("no complete response") }
      expect(yield* status).toMatchObject([
        { pending: 2, retrying: 2, lastError: { ...lastError, at: "1970-01-01T00:00:00.000Z" } },
      ])
      failing.delete("a")
      yield* TestClock.adjust("1 minute")
      expect(yield* status).toMatchObject([{ pending: 1, retrying: 1, lastError }])
      failing.clear()
      yield* TestClock.adjust("10 minutes")
      expect(yield* status).toMatchObject([{ pending: 0, retrying: 0, delivered: 3, lastError: undefined }])
    }),
  )

  it.effect("sends a notification again if its sink interrupts itself, or does not finish in time", () =>
    Effect.gen(function* () {
      let outcome: Outcome = "hangs"
      const chat = recorder("chat", () => outcome)
      const interrupting = { name: "interrupting", deliver: () => Effect.interrupt }
      const { deliver, status } = yield* makeDelivery({ sinks: [chat.sink, interrupting] })
      yield* deliver(note("1", "opened"))
      yield* TestClock.adjust("10 minutes")
      const errors = (yield* status).map(({ lastError }) => lastError?.message)
      expect(errors).toEqual(["The sink chat did not finish within 10m.", "The sink interrupting was interrupted."])
      outcome = "accepts"
      yield* TestClock.adjust("1 second")
      expect(chat.received).toHaveLength(1)
    }),
  )

  it.effect("does not send a notification again if one of the requests of its sink is rejected", () =>
    Effect.gen(function* () {
      const rejected = Effect.fail(
        new RequestError.RequestError({
          service: "chat",
          operation: "x",
          reason: new Reason.Decode({ path: "", problem: "is invalid" }),
          maybeApplied: false,
        }),
      )
      const delivering = Effect.all([rejected, Effect.never], { concurrency: "unbounded", discard: true })
      const { deadLetters, deliver, flush } = yield* makeDelivery({
        sinks: [{ name: "chat", deliver: () => delivering }],
      })
      yield* deliver(note("1", "opened"))
      yield* flush
      expect(yield* deadLetters).toMatchObject([{ reason: "refused" }])
    }),
  )

  it.effect("delivers other events while some wait, within the concurrency limit", () =>
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
      const { deliver, flush } = yield* makeDelivery({ sinks: [slow, stuck.sink, fast.sink], concurrency: 3 })
      for (let index = 0; index < 10; index++) yield* deliver(note(`${index}`, "opened", { key: `k${index}` }))
      yield* Effect.repeat(Effect.yieldNow, { times: 100 })
      expect(fast.received).toHaveLength(10)
      expect(stuck.received).toHaveLength(9)
      const flushed = yield* Effect.forkChild(flush)
      yield* Effect.repeat(TestClock.adjust("1 second"), { times: 4 })
      yield* Fiber.join(flushed)
      expect(maxActive).toBe(3)
    }),
  )

  it.effect.each([
    ["when the scope closes", false],
    ["when the program is interrupted", true],
  ] as const)("sends due notifications for at most 10 seconds %s", ([, isInterrupted]) =>
    Effect.gen(function* () {
      const delivered = yield* Latch.make()
      const slow = recorder("slow")
      const slowSink: Sink.Sink = {
        name: "slow",
        deliver: (sent) => Effect.delay(slow.sink.deliver(sent), "8 seconds"),
      }
      const running = yield* Effect.forkChild(
        Effect.scoped(
          Effect.gen(function* () {
            const delivery = yield* makeDelivery({ sinks: [slowSink, recorder("hanging", () => "hangs").sink] })
            yield* Effect.andThen(delivery.deliver(note("1", "opened")), delivered.open)
            return isInterrupted ? yield* Effect.never : delivery.status
          }),
        ),
      )
      yield* delivered.await
      if (isInterrupted) yield* Effect.forkChild(Fiber.interrupt(running))
      yield* TestClock.adjust("9 seconds")
      expect(slow.received).toHaveLength(1)
      expect(yield* Effect.sync(() => running.pollUnsafe())).toBeUndefined()
      yield* TestClock.adjust("1 second")
      const exit = yield* Fiber.await(running)
      // An attempt that the end interrupts has not failed.
      if (Exit.isSuccess(exit))
        expect(yield* exit.value).toMatchObject([{ delivered: 1 }, { pending: 1, failed: 0, lastError: undefined }])
    }),
  )

  const { sink } = recorder("a")
  it.effect.each<readonly [string, Partial<Delivery.Options>]>([
    ["concurrency must be a whole number", { concurrency: 0 }],
    ["repeatEvery must be a duration", { sinks: [{ ...sink, repeatEvery: 0 }] }],
    ["repeatEvery must be a duration", { sinks: [{ ...sink, repeatEvery: NaN }] }],
    [`sinks must be a list of sinks with distinct names: "a" is repeated.`, { sinks: [sink, sink] }],
    [
      `sinks must be a list with the sink "b" of the routes.`,
      { routes: routesOf({ sinks: { b: { type: "slack", url: { env: "A" } } }, routes: [] }) },
    ],
  ])("fails if an option is invalid: %s", ([problem, options]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.scoped(makeDelivery({ sinks: [sink], ...options })))
      expect(error).toMatchObject({ _tag: "InvalidSetting", message: expect.stringContaining(problem) })
    }),
  )
})
