/** The concurrency limit of a client: fair, and safe whatever is interrupted. */
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as TestClock from "effect/TestClock"
import { clientOf, fake, get, interruptedAt, ok, settle, status } from "./fake.js"

/** A client whose requests are answered when a test says so. They are named by their paths. */
const limited = (concurrency: number) =>
  Effect.gen(function* () {
    const started: Array<number> = []
    const running = new Map<number, Deferred.Deferred<Response>>()
    const server = fake((_, { url }) => {
      const id = Number(new URL(url).pathname.slice(1))
      const response = Deferred.unsafeMake<Response>(FiberId.none)
      started.push(id)
      running.set(id, response)
      return Effect.ensuring(
        Deferred.await(response),
        Effect.sync(() => running.delete(id)),
      )
    })
    const service = yield* clientOf(server, { concurrency })
    const answer = (id: number, response = ok()) =>
      Effect.flatMap(
        Effect.sync(() => running.get(id)),
        (one) => (one === undefined ? Effect.void : Deferred.succeed(one, response)),
      )
    const finish = Effect.gen(function* () {
      while (running.size > 0) {
        for (const id of running.keys()) yield* answer(id)
        yield* settle
      }
    })
    /** Whether as many new calls as the limit allows run at once, and no more. */
    const isWhole = Effect.gen(function* () {
      const calls = Array.from({ length: concurrency + 1 }, (_, id) => get(service, `/${id}`))
      const fibers = yield* Effect.forEach(calls, Effect.fork)
      yield* settle
      const { size } = running
      yield* Fiber.interruptAll(fibers)
      return size === Math.floor(concurrency)
    })
    return {
      answer,
      call: (id: number) => get(service, `/${id}`),
      finish,
      isWhole,
      load: server.load,
      running,
      started,
    }
  })

const moves = FastCheck.array(
  FastCheck.tuple(FastCheck.constantFrom("start", "start", "finish", "interrupt", "settle"), FastCheck.nat()),
  { maxLength: 60, size: "max" },
)

describe("the concurrency limit", () => {
  it.scoped("sends requests in the order of their calls", () =>
    Effect.gen(function* () {
      const { call, finish, load, started } = yield* limited(2)
      const ids = Array.from({ length: 20 }, (_, id) => id)
      const fibers = yield* Effect.forEach(ids, (id) => Effect.fork(call(id)))
      yield* settle
      expect(started).toEqual([0, 1])
      yield* finish
      yield* Fiber.joinAll(fibers)
      expect(started).toEqual(ids)
      expect(load.most).toBe(2)
    }),
  )

  it.scoped("is rounded down", () =>
    Effect.gen(function* () {
      expect(yield* (yield* limited(2.9)).isWhole).toBe(true)
    }),
  )

  it.scoped("passes over calls that were interrupted while they waited", () =>
    Effect.gen(function* () {
      const { call, finish, isWhole, started } = yield* limited(1)
      const fibers = yield* Effect.forEach(
        Array.from({ length: 1_000 }, (_, id) => id),
        (id) => Effect.fork(call(id)),
      )
      yield* settle
      yield* Fiber.interruptAll(fibers.filter((_, id) => id % 2 === 1))
      yield* Effect.fork(finish)
      yield* Fiber.joinAll(fibers.filter((_, id) => id % 2 === 0))
      expect(started).toEqual(fibers.map((_, id) => id).filter((id) => id % 2 === 0))
      expect(yield* isWhole).toBe(true)
    }),
  )

  it.effect("loses no place, sends no more than it may and keeps the order, whatever is interrupted", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(FastCheck.integer({ min: 1, max: 4 }), moves, (concurrency, moves) =>
          Effect.gen(function* () {
            const { answer, call, finish, isWhole, load, running } = yield* limited(concurrency)
            const fibers: Array<Fiber.RuntimeFiber<unknown, unknown>> = []
            for (const [move, pick] of moves) {
              const id = pick % Math.max(1, fibers.length)
              const fiber = fibers[id]
              if (move === "settle") yield* settle
              if (move === "start") fibers.push(yield* Effect.fork(call(fibers.length)))
              if (move === "finish") yield* answer(id)
              if (move === "interrupt" && fiber !== undefined) yield* Fiber.interruptFork(fiber)
            }
            yield* settle
            const alive = fibers.flatMap((fiber, id) => (fiber.unsafePoll() === null ? [id] : []))
            expect([...running.keys()].toSorted((a, b) => a - b)).toEqual(alive.slice(0, concurrency))
            yield* finish
            yield* Effect.forEach(fibers, Fiber.await)
            expect(load.most).toBeLessThanOrEqual(concurrency)
            expect(yield* isWhole).toBe(true)
          }).pipe(Effect.scoped, Effect.runPromise),
        ),
        { numRuns: 50 },
      ),
    ),
  )

  it.scoped(
    "gives its place to others while a call waits for its retry, and takes none if it is interrupted then",
    () =>
      Effect.gen(function* () {
        const { answer, call, finish, isWhole, started } = yield* limited(1)
        const first = yield* Effect.fork(call(0))
        const second = yield* Effect.fork(call(1))
        yield* settle
        yield* answer(0, status(503, "30"))
        yield* settle
        expect(started).toEqual([0, 1])
        yield* answer(1, status(503, "30"))
        yield* settle
        yield* Fiber.interrupt(second)
        yield* TestClock.adjust("40 seconds")
        yield* settle
        expect(started).toEqual([0, 1, 0])
        yield* finish
        yield* Fiber.join(first)
        expect(yield* isWhole).toBe(true)
      }),
  )

  it.scoped.each(["holder", "first waiter", "second waiter"] as const)(
    "loses no place if the %s is interrupted at any step",
    (who) =>
      Effect.gen(function* () {
        const lost: Array<number> = []
        for (let step = 1; step < 200; step++) {
          const service = yield* clientOf(fake(ok), { concurrency: 1 })
          const call = (name: string) =>
            Effect.forkDaemon(name === who ? interruptedAt(step, get(service)) : get(service))
          const fibers = yield* Effect.forEach(["holder", "first waiter", "second waiter", "last"], call)
          yield* settle
          yield* settle
          if (fibers.some((fiber) => fiber.unsafePoll() === null)) lost.push(step)
        }
        expect(lost).toEqual([])
      }),
  )
})
