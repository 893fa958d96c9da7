/** The concurrency limit of a client is fair, also if calls are interrupted. */
import { describe, expect, it } from "@effect/vitest"
import * as property from "@vigil/testing/property"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/testing/TestClock"
import { clientOf, drive, fake, get, ok, settle, status } from "./fake.js"

/** A client with a concurrency limit. The path of a request is its ID, and each request waits until the test responds to it. */
const limited = (concurrency: number) =>
  Effect.gen(function* () {
    const started: Array<number> = []
    const running = new Map<number, Deferred.Deferred<Response>>()
    const server = fake((_, { url }) => {
      const id = Number(new URL(url).pathname.slice(1))
      const response = Deferred.makeUnsafe<Response>()
      started.push(id)
      running.set(id, response)
      return Effect.ensuring(
        Deferred.await(response),
        Effect.sync(() => running.delete(id)),
      )
    })
    const service = yield* clientOf(server, { concurrency, retry: Schedule.spaced("30 seconds") })
    const respond = (id: number, response = ok()) =>
      Effect.suspend(() => Deferred.succeed(running.get(id) ?? Deferred.makeUnsafe<Response>(), response))
    const finish = Effect.gen(function* () {
      while (running.size > 0)
        yield* Effect.andThen(
          Effect.forEach(running.keys(), (id) => respond(id)),
          settle,
        )
    })
    /** Whether the limit still works: exactly `concurrency` of the new calls run at once. */
    const isIntact = Effect.gen(function* () {
      const calls = Array.from({ length: concurrency + 1 }, (_, id) => Effect.forkChild(get(service, `/${id}`)))
      const fibers = yield* Effect.all(calls)
      yield* settle
      const { size } = running
      yield* Fiber.interruptAll(fibers)
      return size === Math.floor(concurrency)
    })
    const call = (id: number) => get(service, `/${id}`)
    return { call, finish, isIntact, load: server.load, respond, running, started }
  })

const moves = FastCheck.array(
  FastCheck.tuple(FastCheck.constantFrom("start", "start", "finish", "interrupt", "settle"), FastCheck.nat()),
  { maxLength: 60, size: "max" },
)

describe("the concurrency limit", () => {
  it.effect("leaves out decoders, which may send requests by the same client", () =>
    Effect.gen(function* () {
      const server = fake(ok)
      const service = yield* clientOf(server, { concurrency: 2 })
      const decode = () => Effect.mapError(get(service, "/inner"), ({ message }) => ({ path: "", problem: message }))
      const outer = service.get({ operation: "Thing.get", url: "/outer", decode })
      const { at } = yield* drive(Effect.replicateEffect(outer, 5, { concurrency: "unbounded" }))
      expect([at, server.requests.length]).toEqual([0, 10])
    }),
  )

  property.live(
    "keeps all permits, its maximum and the order of calls, whichever calls are interrupted",
    [FastCheck.integer({ min: 1, max: 4 }), moves],
    ([concurrency, moves]) =>
      Effect.gen(function* () {
        const { call, finish, isIntact, load, respond, running } = yield* limited(concurrency)
        const fibers: Array<Fiber.Fiber<unknown, unknown>> = []
        for (const [move, pick] of moves) {
          const id = pick % Math.max(1, fibers.length)
          const fiber = fibers[id]
          if (move === "settle") yield* settle
          if (move === "start") fibers.push(yield* Effect.forkChild(call(fibers.length)))
          if (move === "finish") yield* respond(id)
          if (move === "interrupt" && fiber !== undefined) yield* Effect.sync(() => fiber.interruptUnsafe())
        }
        yield* settle
        const alive = fibers.flatMap((fiber, id) => (fiber.pollUnsafe() === undefined ? [id] : []))
        expect([...running.keys()].toSorted((a, b) => a - b)).toEqual(alive.slice(0, concurrency))
        yield* finish
        yield* Effect.forEach(fibers, Fiber.await)
        expect(load.most).toBeLessThanOrEqual(concurrency)
        expect(yield* isIntact).toBe(true)
      }),
    { fastCheck: { numRuns: 50 } },
  )

  it.effect(
    "releases the permit of a call that waits for a retry, and does not reacquire it if the call is interrupted",
    () =>
      Effect.gen(function* () {
        const { call, finish, isIntact, respond, started } = yield* limited(1)
        const first = yield* Effect.forkChild(call(0))
        const second = yield* Effect.forkChild(call(1))
        yield* settle
        yield* respond(0, status(503))
        yield* settle
        expect(started).toEqual([0, 1])
        yield* respond(1, status(503))
        yield* settle
        yield* Fiber.interrupt(second)
        yield* TestClock.adjust("40 seconds")
        yield* settle
        expect(started).toEqual([0, 1, 0])
        yield* finish
        yield* Fiber.join(first)
        expect(yield* isIntact).toBe(true)
      }),
  )
})
