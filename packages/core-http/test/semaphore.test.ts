import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Scheduler from "effect/Scheduler"
import * as semaphore from "../src/internal/semaphore.js"
import { settle } from "./fake.js"

/** Callers of a semaphore, each of which runs until it is told to finish. */
const callers = (limit: semaphore.Semaphore) => {
  const started: Array<number> = []
  const running = new Set<number>()
  const load = { most: 0 }
  const call = (id: number) => {
    const finish = Deferred.unsafeMake<void>(FiberId.none)
    const body = Effect.suspend(() => {
      started.push(id)
      running.add(id)
      load.most = Math.max(load.most, running.size)
      return Effect.ensuring(
        Deferred.await(finish),
        Effect.sync(() => running.delete(id)),
      )
    })
    return { effect: limit(body), finish: () => Deferred.unsafeDone(finish, Effect.void) }
  }
  return { call, started, running, load }
}

/** Whether as many new callers as there are permits run at once. */
const isWhole = (limit: semaphore.Semaphore, permits: number) =>
  Effect.gen(function* () {
    const { call, load } = callers(limit)
    const fibers = yield* Effect.forEach(Array.from({ length: permits + 1 }), (_, id) => Effect.fork(call(id).effect))
    yield* settle
    yield* Fiber.interruptAll(fibers)
    return load.most === permits
  })

/** Counts the operations of its fibers, and acts before one of them. */
class Steps extends Scheduler.ControlledScheduler {
  count = 0
  at = 0
  act: () => void = () => {}
  isBusy() {
    return this.tasks.buckets.length > 0
  }
  override shouldYield(fiber: Fiber.RuntimeFiber<unknown, unknown>) {
    if (++this.count === this.at) this.act()
    return super.shouldYield(fiber)
  }
}

type Step = readonly [kind: "start" | "finish" | "interrupt" | "settle", pick: number]

const steps: FastCheck.Arbitrary<ReadonlyArray<Step>> = FastCheck.array(
  FastCheck.tuple(
    FastCheck.constantFrom(
      "start" as const,
      "start" as const,
      "finish" as const,
      "interrupt" as const,
      "settle" as const,
    ),
    FastCheck.nat(),
  ),
  { maxLength: 60, size: "max" },
)

describe("a semaphore", () => {
  it.effect("runs callers in the order of their calls", () =>
    Effect.gen(function* () {
      const limit = semaphore.make(2)
      const { call, load, started } = callers(limit)
      const calls = Array.from({ length: 20 }, (_, id) => call(id))
      const fibers = yield* Effect.forEach(calls, ({ effect }) => Effect.fork(effect))
      yield* settle
      expect(started).toEqual([0, 1])
      calls.toReversed().forEach(({ finish }) => finish())
      yield* Fiber.joinAll(fibers)
      expect(started).toEqual(calls.map((_, id) => id))
      expect(load.most).toBe(2)
    }),
  )

  it.effect("starts one caller for each that ends, although more wait", () =>
    Effect.gen(function* () {
      const limit = semaphore.make(1)
      const { call, started } = callers(limit)
      const calls = Array.from({ length: 10 }, (_, id) => call(id))
      const fibers = yield* Effect.forEach(calls, ({ effect }) => Effect.fork(effect))
      yield* settle
      calls[0]?.finish()
      yield* settle
      expect(started).toEqual([0, 1])
      yield* Fiber.interruptAll(fibers)
    }),
  )

  it.effect("runs 20,000 waiting callers, but for those that are interrupted", () =>
    Effect.gen(function* () {
      const limit = semaphore.make(1)
      const { call, load, started } = callers(limit)
      const calls = Array.from({ length: 20_000 }, (_, id) => call(id))
      const fibers = yield* Effect.forEach(calls, ({ effect }) => Effect.fork(effect))
      yield* settle
      yield* Fiber.interruptAll(fibers.filter((_, id) => id % 2 === 1))
      calls.forEach(({ finish }) => finish())
      yield* Fiber.joinAll(fibers.filter((_, id) => id % 2 === 0))
      expect(started).toEqual(calls.map((_, id) => id).filter((id) => id % 2 === 0))
      expect(load.most).toBe(1)
    }),
  )

  it.effect("rounds a number of permits down", () =>
    Effect.gen(function* () {
      expect(yield* isWhole(semaphore.make(2.9), 2)).toBe(true)
    }),
  )

  it.effect("frees its permit if the caller fails or dies", () =>
    Effect.gen(function* () {
      const limit = semaphore.make(1)
      yield* Effect.exit(limit(Effect.fail("failed")))
      yield* Effect.exit(limit(Effect.die("died")))
      yield* Effect.exit(limit(Effect.interrupt))
      expect(yield* isWhole(limit, 1)).toBe(true)
    }),
  )

  it.effect("loses no permit, runs no more than it may and keeps the order, whatever is interrupted", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(FastCheck.integer({ min: 1, max: 4 }), steps, (permits, moves) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const limit = semaphore.make(permits)
              const { call, load, running } = callers(limit)
              const calls: Array<ReturnType<typeof call> & { readonly fiber: Fiber.RuntimeFiber<void> }> = []
              for (const [kind, pick] of moves) {
                const one = calls[pick % Math.max(1, calls.length)]
                if (kind === "settle") yield* settle
                if (kind === "start") {
                  const next = call(calls.length)
                  calls.push({ ...next, fiber: yield* Effect.fork(next.effect) })
                }
                if (kind === "finish") one?.finish()
                if (kind === "interrupt" && one !== undefined) yield* Fiber.interruptFork(one.fiber)
              }
              yield* settle
              const alive = calls.flatMap(({ fiber }, id) => (fiber.unsafePoll() === null ? [id] : []))
              expect([...running].toSorted((a, b) => a - b)).toEqual(alive.slice(0, permits))
              calls.forEach(({ finish }) => finish())
              yield* Effect.forEach(calls, ({ fiber }) => Fiber.await(fiber))
              expect(load.most).toBeLessThanOrEqual(permits)
              expect(yield* isWhole(limit, permits)).toBe(true)
            }),
          ),
        ),
        { numRuns: 300 },
      ),
    ),
  )

  it.effect.each(["holder", "first waiter", "second waiter"] as const)(
    "loses no permit if the %s is interrupted at any step",
    (who) =>
      Effect.gen(function* () {
        let last = 0
        for (let step = 1; step <= last + 1; step++) {
          const limit = semaphore.make(1)
          const scheduler = new Steps()
          scheduler.at = step
          const run = () => Effect.runFork(limit(Effect.yieldNow()), { scheduler })
          const fibers = { holder: run(), "first waiter": run(), "second waiter": run() }
          scheduler.act = () => fibers[who].unsafeInterruptAsFork(FiberId.none)
          while (scheduler.isBusy()) scheduler.step()
          last = scheduler.count
          expect(Object.values(fibers).every((fiber) => fiber.unsafePoll() !== null)).toBe(true)
          expect(yield* isWhole(limit, 1)).toBe(true)
        }
        expect(last).toBeGreaterThan(50)
      }),
  )
})
