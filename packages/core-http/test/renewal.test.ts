/** A credential from an effect: fetched once, renewed after a 401, and tied to the scope of the client. */
import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder, Retry, type ServiceClient } from "@vigil/core-http"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { type FakeRequest, clientOf, drive, fake, get, interruptedAt, ok, outcome, settle, status } from "./fake.js"

/** A vault that returns `t1`, `t2` and so on after a delay, and counts its fetches. */
const makeVault = (delay: Duration.Input = 0) => {
  const vault = { fetches: 0 }
  const secret = Effect.suspend(() => {
    vault.fetches += 1
    return Effect.delay(Effect.succeed(Redacted.make(`t${vault.fetches}`)), delay)
  })
  return { vault, secret }
}

const tokenOf = ({ headers }: FakeRequest) => headers["authorization"]?.replace("Bearer ", "") ?? ""

/** A service that accepts some tokens only, with a delay for the n-th response. */
const accepting = (accepted: ReadonlyArray<string>, delay: (n: number) => number = () => 0) =>
  fake((n, request) =>
    Effect.delay(
      Effect.sync(() => (accepted.includes(tokenOf(request)) ? ok() : status(401))),
      delay(n),
    ),
  )

/** Sends concurrent requests, which all succeed. */
const getConcurrently = (service: ServiceClient.Service, times: number) =>
  Effect.flatMap(drive(Effect.replicateEffect(get(service), times, { concurrency: "unbounded" })), ({ exit }) => exit)

const withoutRetries = { concurrency: 100, retry: Retry.none }

const repeated = (times: number, token: string) => Array.from({ length: times }, () => token)

describe("a credential from an effect", () => {
  it.effect("is renewed after a 401, and a change is sent again with its body and headers", () =>
    Effect.gen(function* () {
      const { secret } = makeVault()
      const server = accepting(["t2"])
      const service = yield* clientOf(server, { ...withoutRetries, credential: Credential.bearer(secret) })
      const url = service.url("/things/a%2Fb", { $filter: "x eq y" })
      const body = { operation: "Thing.make", method: "POST", body: { name: "é" } } as const
      const change = { ...body, url, decode: Decoder.ignore }
      expect((yield* outcome(service.request(change))).error).toBeUndefined()
      expect(server.requests.map(tokenOf)).toEqual(["t1", "t2"])
      const sent = { method: "POST", url, body: `{"name":"é"}`, headers: { "content-type": "application/json" } }
      expect(server.requests).toMatchObject([sent, sent])
    }),
  )

  it.effect("is renewed once for one request, and not if it is fixed", () =>
    Effect.gen(function* () {
      const credentials = [
        [Credential.bearer(makeVault().secret), 2],
        [Credential.bearer(Redacted.make("t1")), 1],
        [Credential.none, 1],
      ] as const
      for (const [credential, sent] of credentials) {
        const server = accepting([])
        const { at, reason } = yield* outcome(get(yield* clientOf(server, { credential })))
        expect([reason?._tag, server.requests.length, at]).toEqual(["Unauthorized", sent, 0])
      }
    }),
  )

  it.effect("leaves the retries and the budget to later failures", () =>
    Effect.gen(function* () {
      const server = fake((n) => [status(401), status(503), ok()][n - 1] ?? status(500))
      const credential = Credential.bearer(makeVault().secret)
      const service = yield* clientOf(server, { credential, retry: Retry.exponential(0, 1), retryBudget: 1 })
      expect((yield* outcome(get(service))).error).toBeUndefined()
      expect(server.requests).toHaveLength(3)
    }),
  )
})

describe("an expired token", () => {
  it.effect("of 50 concurrent requests is renewed once, and all succeed", () =>
    Effect.gen(function* () {
      const { secret, vault } = makeVault("3 seconds")
      const server = accepting(["t2"], () => 1_000)
      const service = yield* clientOf(server, { ...withoutRetries, credential: Credential.bearer(secret) })
      yield* getConcurrently(service, 50)
      expect(vault.fetches).toBe(2)
      expect(server.requests.map(tokenOf)).toEqual([...repeated(50, "t1"), ...repeated(50, "t2")])
    }),
  )

  it.effect("that is rejected after it was renewed is not renewed again", () =>
    Effect.gen(function* () {
      const { secret, vault } = makeVault()
      // The second request is rejected long after the first one was sent again.
      const server = accepting(["t2"], (n) => (n === 2 ? 20_000 : 100))
      const service = yield* clientOf(server, { ...withoutRetries, credential: Credential.bearer(secret) })
      yield* getConcurrently(service, 2)
      expect(vault.fetches).toBe(2)
      expect(server.requests.map(tokenOf)).toEqual(["t1", "t1", "t2", "t2"])
    }),
  )
})

describe("timeToLive", () => {
  it.effect("fetches the token again when it expires, once for all requests", () =>
    Effect.gen(function* () {
      const server = accepting(["t1", "t2", "t3"])
      // Its own lifetime overrides that of the credential.
      const secret = Effect.map(makeVault().secret, (secret) => ({ secret, timeToLive: "10 seconds" as const }))
      const credential = Credential.bearer(secret, { timeToLive: "1 second" })
      const service = yield* clientOf(server, { ...withoutRetries, credential })
      for (const time of [0, 9_999, 10_001, 20_000, 20_002]) {
        yield* TestClock.setTime(time)
        yield* getConcurrently(service, 20)
      }
      expect(server.requests.map(tokenOf)).toEqual([
        ...repeated(40, "t1"),
        ...repeated(40, "t2"),
        ...repeated(20, "t3"),
      ])
    }),
  )

  it.effect("of zero fetches the token after the wait for the rate limiter", () =>
    Effect.gen(function* () {
      const times: Array<number> = []
      const secret = Effect.map(Clock.currentTimeMillis, (now) => {
        times.push(now)
        return Redacted.make("t")
      })
      const credential = Credential.bearer(secret, { timeToLive: 0 })
      const service = yield* clientOf(fake(ok), { credential, rateLimit: { requests: 1, per: "1 minute" } })
      yield* outcome(get(service))
      yield* outcome(get(service))
      expect(times).toEqual([0, 60_000])
    }),
  )

  it.effect("applies if the clock jumps ten years forward or back", () =>
    Effect.gen(function* () {
      const { secret, vault } = makeVault()
      const credential = Credential.bearer(secret, { timeToLive: "10 seconds" })
      const service = yield* clientOf(accepting(["t1", "t2", "t3", "t4"]), { ...withoutRetries, credential })
      for (const time of [0, 315_360_000_000, 0, 11_000]) {
        yield* TestClock.setTime(time)
        yield* getConcurrently(service, 50)
      }
      expect(vault.fetches).toBeGreaterThanOrEqual(3)
      expect(vault.fetches).toBeLessThanOrEqual(4)
    }),
  )
})

describe("a fetch that fails", () => {
  it.effect.each([1, 2])("is repeated by the next request: fetch %i", (failing) =>
    Effect.gen(function* () {
      const vault = { fetches: 0 }
      const secret = Effect.suspend(() =>
        ++vault.fetches === failing
          ? Effect.fail(new Error("locked"))
          : Effect.succeed(Redacted.make(`t${vault.fetches}`)),
      )
      const server = accepting([`t${failing + 1}`])
      const service = yield* clientOf(server, { credential: Credential.bearer(secret) })
      const { error } = yield* outcome(get(service))
      expect(error).toMatchObject({ reason: { _tag: "Credential", problem: "unavailable" }, maybeApplied: false })
      expect(server.requests).toHaveLength(failing - 1)
      expect((yield* outcome(get(service))).error).toBeUndefined()
    }),
  )

  it.effect("in time fails all waiting requests, also if they cannot be interrupted", () =>
    Effect.gen(function* () {
      let fetches = 0
      const secret = Effect.suspend(() => (++fetches === 1 ? Effect.never : Effect.succeed(Redacted.make("t"))))
      const service = yield* clientOf(fake(ok), { credential: Credential.bearer(secret), timeout: "1 second" })
      const first = yield* Effect.forkDetach(Effect.uninterruptible(Effect.flip(get(service))))
      yield* settle
      const second = yield* Effect.forkChild(Effect.flip(get(service)))
      yield* settle
      yield* TestClock.adjust("1 second")
      const timedOut = { reason: { _tag: "Credential", problem: "timeout" }, retryable: true, maybeApplied: false }
      expect([yield* Fiber.join(first), yield* Fiber.join(second)]).toMatchObject([timedOut, timedOut])
      expect((yield* outcome(get(service))).error).toBeUndefined()
    }),
  )
})

describe("interruption of the request that fetches the credential", () => {
  it.effect("at any step does not hang the next request", () =>
    Effect.gen(function* () {
      const hangingSteps: Array<number> = []
      for (let step = 1; step < 160; step++) {
        const credential = Credential.bearer(Effect.sync(() => Redacted.make("t")))
        const service = yield* clientOf(fake(ok), { credential })
        const first = yield* Effect.forkDetach(interruptedAt(step, get(service)))
        yield* settle
        const second = yield* Effect.forkDetach(get(service))
        yield* settle
        if (second.pollUnsafe() === undefined) hangingSteps.push(step)
        for (const fiber of [first, second]) yield* Effect.sync(() => fiber.interruptUnsafe())
      }
      expect(hangingSteps).toEqual([])
    }),
  )
})

describe("the scope of a client", () => {
  it.effect("interrupts the fetch of the credential when it closes, and prevents further fetches", () =>
    Effect.gen(function* () {
      let interrupted = false
      const secret = Effect.onInterrupt(Effect.never, () => Effect.sync(() => (interrupted = true)))
      const scope = yield* Scope.make()
      const service = yield* Scope.provide(clientOf(fake(ok), { credential: Credential.bearer(secret) }), scope)
      const request = yield* Effect.forkChild(Effect.flip(get(service)))
      yield* settle
      yield* Scope.close(scope, Exit.void)
      expect(interrupted).toBe(true)
      const closed = { reason: { _tag: "Credential", problem: "closed" }, retryable: false }
      expect(yield* Fiber.join(request)).toMatchObject(closed)
      expect((yield* outcome(get(service))).error).toMatchObject(closed)
    }),
  )
})
