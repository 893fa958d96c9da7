/** What happens at the worst moment, or with the oddest client or service: it is told, and the client goes on. */
import { HttpClient } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder } from "@vigil/core-http"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Scheduler from "effect/Scheduler"
import * as TestClock from "effect/TestClock"
import { clientOf, drive, fake, get, ok, outcome, settle, status } from "./fake.js"

/** Runs in a fiber that is interrupted when it has run so many steps, and only then. */
const interruptedAt = <A, E>(step: number, effect: Effect.Effect<A, E>) =>
  Effect.withFiberRuntime<A, E>((target) => {
    const inner = new Scheduler.MixedScheduler(2_048)
    let steps = 0
    const scheduler: Scheduler.Scheduler = {
      scheduleTask: (task, priority) => inner.scheduleTask(task, priority),
      shouldYield: (fiber) => {
        if (fiber !== target || ++steps !== step) return false
        fiber.unsafeInterruptAsFork(fiber.id())
        return 0
      },
    }
    return Effect.withScheduler(effect, scheduler)
  })

describe("a credential that is had by a request", () => {
  it.scoped("that is interrupted, at whatever moment, is had by the next", () =>
    Effect.gen(function* () {
      const hung: Array<number> = []
      for (let step = 1; step < 160; step++) {
        const credential = Credential.bearer(Effect.sync(() => Redacted.make("t")))
        const service = yield* clientOf(fake(ok), { credential })
        const first = yield* Effect.forkDaemon(interruptedAt(step, get(service)))
        yield* settle
        const second = yield* Effect.fork(get(service))
        yield* settle
        if (Option.isNone(yield* Fiber.poll(second))) hung.push(step)
        yield* Effect.zipRight(Fiber.interruptFork(first), Fiber.interruptFork(second))
      }
      expect(hung).toEqual([])
    }),
  )

  it.scoped("that can't be interrupted is waited for no longer by the others", () =>
    Effect.gen(function* () {
      let asked = 0
      const secret = Effect.suspend(() => (++asked === 1 ? Effect.never : Effect.succeed(Redacted.make("t"))))
      const service = yield* clientOf(fake(ok), { credential: Credential.bearer(secret), timeout: "1 second" })
      const first = yield* Effect.forkDaemon(Effect.uninterruptible(Effect.either(get(service))))
      yield* settle
      const second = yield* Effect.fork(Effect.either(get(service)))
      yield* settle
      yield* TestClock.adjust("1 second")
      const late = { left: { _tag: "CredentialError", reason: "late", operation: "Thing.get" } }
      expect([yield* Fiber.join(first), yield* Fiber.join(second)]).toMatchObject([late, late])
      expect((yield* outcome(get(service))).error).toBeUndefined()
    }),
  )

  it.scoped("that was wiped is a CredentialError", () =>
    Effect.gen(function* () {
      const wiped = Redacted.make("t")
      Redacted.unsafeWipe(wiped)
      for (const secret of [wiped, Effect.succeed(wiped)]) {
        const service = yield* clientOf(fake(ok), { credential: Credential.bearer(secret) })
        expect((yield* outcome(get(service))).error).toMatchObject({ _tag: "CredentialError", reason: "unavailable" })
      }
    }),
  )
})

describe("the rate limit", () => {
  it.scoped("is kept when many waited for the credential", () =>
    Effect.gen(function* () {
      const server = fake(ok)
      const secret = Effect.delay(
        Effect.sync(() => Redacted.make("t")),
        "10 seconds",
      )
      const options = { credential: Credential.bearer(secret), rateLimit: { requests: 1, per: "1 second" } } as const
      const service = yield* clientOf(server, options)
      yield* drive(Effect.all([get(service), get(service), get(service)], { concurrency: 3 }))
      expect(server.asked.map(({ at }) => at)).toEqual([10_000, 11_000, 12_000])
    }),
  )

  it.scoped("takes no time from a request that is redirected", () =>
    Effect.gen(function* () {
      const server = fake((n) => {
        if (n === 1) return new Response(null, { status: 302, headers: { location: "/moved" } })
        return n === 2 ? status(503) : ok()
      })
      const service = yield* clientOf(server, {
        rateLimit: { requests: 1, per: "1 minute" },
        totalTimeout: "50 seconds",
      })
      expect((yield* outcome(get(service))).error).toBeUndefined()
      expect(server.asked.map(({ url }) => new URL(url).pathname)).toEqual(["/thing", "/moved", "/thing"])
    }),
  )
})

describe("an answer without a body", () => {
  it.scoped.each([
    ["POST", 201],
    ["POST", 202],
    ["DELETE", 200],
  ] as const)("to a %s, with status %i, is a success", ([method, code]) =>
    Effect.gen(function* () {
      const service = yield* clientOf(fake(() => new Response(null, { status: code })))
      const common = { operation: "Thing.change", url: service.url("/thing"), decode: Decoder.nothing }
      const change = method === "POST" ? { ...common, method, body: {} } : { ...common, method }
      expect((yield* outcome(service.request(change))).error).toBeUndefined()
    }),
  )

  it.scoped("to a GET is a DecodeError, at once", () =>
    Effect.gen(function* () {
      const server = fake(() => new Response(null))
      const { error } = yield* outcome(get(yield* clientOf(server)))
      expect(error).toMatchObject({ _tag: "DecodeError" })
      expect(server.asked).toHaveLength(1)
    }),
  )
})

describe("what a service says", () => {
  it.scoped("is freed of a thousand secrets as of one", () =>
    Effect.gen(function* () {
      const message = "reda ".repeat(10_000)
      const server = fake(() => new Response(JSON.stringify({ message }), { status: 400 }))
      const service = yield* clientOf(server)
      const url = service.url(`/thing?${"a=reda&".repeat(1_000)}b=ted>`)
      const { error } = yield* outcome(service.get({ operation: "Thing.get", url, decode: Decoder.nothing }))
      expect(error?.message).toContain("400: <redacted> <redacted> ")
      expect(error?.message).not.toContain("reda ")
    }),
  )

  it.scoped("before a request ran out of time is told once", () =>
    Effect.gen(function* () {
      const service = yield* clientOf(
        fake((n) => (n === 1 ? status(503) : Effect.never)),
        { timeout: "1 second" },
      )
      const { error } = yield* outcome(get(service))
      expect(error?.message.split("Before that: ")).toHaveLength(2)
    }),
  )
})

describe("a client", () => {
  it.scoped("that reads bodies before they are due leaves a typed error, and no defect", () =>
    Effect.gen(function* () {
      const service = yield* clientOf(fake(ok), {
        transformClient: HttpClient.tap((response) => Effect.ignore(response.text)),
      })
      const { exit } = yield* drive(get(service))
      expect(Exit.isFailure(exit) ? exit.cause : undefined).toMatchObject({ _tag: "Fail" })
    }),
  )

  it.scoped("hands no trace on where there is none", () =>
    Effect.gen(function* () {
      const server = fake(ok)
      const service = yield* clientOf(server, { propagateTrace: true })
      yield* drive(Effect.withTracerEnabled(get(service), false))
      expect(server.asked[0]?.headers).not.toHaveProperty("traceparent")
      expect(server.asked[0]?.headers).not.toHaveProperty("b3")
    }),
  )
})
