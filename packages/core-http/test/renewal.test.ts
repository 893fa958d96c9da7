import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder, RetryPolicy, type ServiceClient } from "@vigil/core-http"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { type FakeRequest, clientOf, drive, fake, get, ok, outcome, printed, settle, status } from "./fake.js"

const canary = "canary-9c41d0"

/** A vault that returns `t1`, `t2` and so on after a delay, and counts its fetches. */
const makeVault = (delay: Duration.Input = 0) => {
  const vault = { fetches: 0 }
  const secret = Effect.suspend(() => {
    vault.fetches += 1
    return Effect.delay(Effect.succeed(Redacted.make(`t${vault.fetches}`)), delay)
  })
  return { vault, secret }
}

const tokenOf = ({ headers }: FakeRequest) => headers["authorization"]?.replace("Bearer ", "") ?? headers["x-api-token"]

/** A service that accepts some tokens only, with a delay for the n-th response. */
const accepting = (accepted: ReadonlyArray<string>, delay: (n: number) => number = () => 0) =>
  fake((n, request) =>
    Effect.delay(
      Effect.sync(() => (accepted.includes(tokenOf(request) ?? "") ? ok() : status(401))),
      delay(n),
    ),
  )

const getConcurrently = (service: ServiceClient.Service, times: number) =>
  Effect.replicateEffect(Effect.result(get(service)), times, { concurrency: "unbounded" })

const withoutRetries = { concurrency: 100, retry: RetryPolicy.none }

describe("a credential from an effect", () => {
  it.effect("is fetched once for sequential and concurrent requests", () =>
    Effect.gen(function* () {
      const { secret, vault } = makeVault("2 seconds")
      const server = accepting(["t1"], () => 500)
      const service = yield* clientOf(server, { ...withoutRetries, credential: Credential.bearer(secret) })
      const { exit } = yield* drive(getConcurrently(service, 30))
      expect((yield* exit).every(Result.isSuccess)).toBe(true)
      yield* drive(Effect.replicateEffect(get(service), 5))
      expect(vault.fetches).toBe(1)
      expect(server.requests).toHaveLength(35)
      expect(new Set(server.requests.map(tokenOf))).toEqual(new Set(["t1"]))
    }),
  )

  it.effect("is renewed after a 401, and a change is sent again with its body and headers", () =>
    Effect.gen(function* () {
      const { secret } = makeVault()
      const server = accepting(["t2"])
      const service = yield* clientOf(server, { ...withoutRetries, credential: Credential.bearer(secret) })
      const url = service.url("/things/a%2Fb", { $filter: "x eq 'y'" })
      const { error } = yield* outcome(
        service.request({
          operation: "Thing.make",
          url,
          decode: Decoder.ignore,
          method: "POST",
          body: { name: "é", of: [1] },
        }),
      )
      expect(error?.message).toBeUndefined()
      expect(server.requests.map(tokenOf)).toEqual(["t1", "t2"])
      const [first, second] = server.requests.map(({ body, headers, method, url }) => ({
        body,
        headers: { ...headers, authorization: "" },
        method,
        url,
      }))
      expect(second).toEqual(first)
      expect(first).toMatchObject({ method: "POST", body: `{"name":"é","of":[1]}` })
    }),
  )

  it.effect("is not fetched a third time for one request, which fails with Unauthorized", () =>
    Effect.gen(function* () {
      const { secret, vault } = makeVault()
      const server = accepting([])
      const service = yield* clientOf(server, {
        credential: Credential.bearer(secret),
        retry: RetryPolicy.make({ baseDelay: 0 }),
      })
      const { at, error } = yield* outcome(get(service))
      expect(error).toMatchObject({ _tag: "Unauthorized", status: 401 })
      expect(server.requests.map(tokenOf)).toEqual(["t1", "t2"])
      expect(vault.fetches).toBe(2)
      expect(at).toBe(0)
    }),
  )

  it.effect("is named by its source in the message of Unauthorized", () =>
    Effect.gen(function* () {
      const credential = Credential.bearer(Redacted.make("t1"), { source: "a vault" })
      const service = yield* clientOf(accepting([]), { credential })
      const { error } = yield* outcome(get(service))
      expect(error).toMatchObject({ _tag: "Unauthorized", credentialSource: "a vault" })
      expect(error?.message).toContain("401. The token is from a vault: check its account, its scope and the base URL.")
    }),
  )

  it.effect("leaves the retries and the budget to later failures", () =>
    Effect.gen(function* () {
      const { secret } = makeVault()
      const server = fake((n) => [status(401), status(503), ok()][n - 1] ?? status(500))
      const service = yield* clientOf(server, {
        credential: Credential.bearer(secret),
        retry: RetryPolicy.make({ retries: 1, budget: 1, baseDelay: 0 }),
      })
      const { error } = yield* outcome(get(service))
      expect(error?.message).toBeUndefined()
      expect(server.requests).toHaveLength(3)
    }),
  )
})

describe("a request without a renewable credential", () => {
  it.effect("is not sent again after a 401", () =>
    Effect.gen(function* () {
      for (const credential of [Credential.bearer(Redacted.make(canary)), Credential.none]) {
        const server = accepting([])
        const service = yield* clientOf(server, { credential, retry: RetryPolicy.make({ baseDelay: 0 }) })
        expect((yield* outcome(get(service))).error).toMatchObject({ _tag: "Unauthorized" })
        expect(server.requests).toHaveLength(1)
      }
    }),
  )
})

describe("an expired token", () => {
  it.effect.each([2, 50])("of %i concurrent requests is renewed once, and all succeed", (times) =>
    Effect.gen(function* () {
      const { secret, vault } = makeVault("3 seconds")
      const server = accepting(["t2"], () => 1_000)
      const service = yield* clientOf(server, { ...withoutRetries, credential: Credential.bearer(secret) })
      const { exit } = yield* drive(getConcurrently(service, times))
      expect((yield* exit).every(Result.isSuccess)).toBe(true)
      expect(vault.fetches).toBe(2)
      expect(server.requests.map(tokenOf)).toEqual([
        ...Array.from({ length: times }, () => "t1"),
        ...Array.from({ length: times }, () => "t2"),
      ])
    }),
  )

  it.effect("that is rejected after it was renewed is not renewed again", () =>
    Effect.gen(function* () {
      const { secret, vault } = makeVault()
      // The second request is rejected long after the first one was sent again.
      const server = accepting(["t2"], (n) => (n === 2 ? 20_000 : 100))
      const service = yield* clientOf(server, { ...withoutRetries, credential: Credential.bearer(secret) })
      const { exit } = yield* drive(getConcurrently(service, 2))
      expect((yield* exit).every(Result.isSuccess)).toBe(true)
      expect(vault.fetches).toBe(2)
      expect(server.requests.map(tokenOf)).toEqual(["t1", "t1", "t2", "t2"])
    }),
  )
})

describe("timeToLive", () => {
  const options = { timeToLive: "10 seconds" } as const

  it.effect("fetches the token again when it expires", () =>
    Effect.gen(function* () {
      const { secret, vault } = makeVault()
      const server = accepting(["t1", "t2", "t3"])
      const service = yield* clientOf(server, { ...withoutRetries, credential: Credential.bearer(secret, options) })
      yield* outcome(get(service))
      yield* TestClock.setTime(9_999)
      yield* outcome(get(service))
      expect(vault.fetches).toBe(1)
      yield* TestClock.setTime(10_001)
      const { exit } = yield* drive(getConcurrently(service, 20))
      expect((yield* exit).every(Result.isSuccess)).toBe(true)
      expect(vault.fetches).toBe(2)
      yield* TestClock.setTime(20_000)
      yield* outcome(get(service))
      expect(vault.fetches).toBe(2)
      yield* TestClock.setTime(20_002)
      yield* outcome(get(service))
      expect(server.requests.map(tokenOf)).toEqual(["t1", "t1", ...Array.from({ length: 21 }, () => "t2"), "t3"])
    }),
  )

  it.effect("of a fetched secret overrides that of the credential", () =>
    Effect.gen(function* () {
      const { secret, vault } = makeVault()
      const expiring = Effect.map(secret, (secret) => ({ secret, timeToLive: "5 seconds" as const }))
      const service = yield* clientOf(accepting(["t1", "t2"]), { credential: Credential.bearer(expiring, options) })
      yield* outcome(get(service))
      yield* TestClock.setTime(4_999)
      yield* outcome(get(service))
      expect(vault.fetches).toBe(1)
      yield* TestClock.setTime(5_001)
      yield* outcome(get(service))
      expect(vault.fetches).toBe(2)
    }),
  )

  it.effect("fetches the token once if the clock jumps ten years forward", () =>
    Effect.gen(function* () {
      const { secret, vault } = makeVault("1 seconds")
      const server = accepting(["t1", "t2"])
      const service = yield* clientOf(server, { ...withoutRetries, credential: Credential.bearer(secret, options) })
      yield* drive(getConcurrently(service, 50))
      yield* TestClock.adjust("3650 days")
      const { exit } = yield* drive(getConcurrently(service, 50))
      expect((yield* exit).every(Result.isSuccess)).toBe(true)
      expect(vault.fetches).toBe(2)
    }),
  )

  it.effect("applies if the clock jumps back", () =>
    Effect.gen(function* () {
      const { secret, vault } = makeVault()
      yield* TestClock.setTime(1_000_000)
      const server = accepting(["t1", "t2", "t3"])
      const service = yield* clientOf(server, { ...withoutRetries, credential: Credential.bearer(secret, options) })
      yield* outcome(get(service))
      yield* TestClock.setTime(0)
      yield* outcome(get(service))
      yield* TestClock.adjust("11 seconds")
      yield* outcome(get(service))
      const used = server.requests.map(tokenOf)
      expect(used[2]).not.toBe(used[0])
      expect(vault.fetches).toBeLessThanOrEqual(3)
    }),
  )
})

describe("a vault that fails", () => {
  it.effect("causes a CredentialError without its message, and is used again by the next request", () =>
    Effect.gen(function* () {
      const vault = { fetches: 0 }
      const secret = Effect.suspend(() =>
        ++vault.fetches === 1 ? Effect.fail(new Error(canary)) : Effect.succeed(Redacted.make("t2")),
      )
      const server = accepting(["t2"])
      const service = yield* clientOf(server, { credential: Credential.bearer(secret) })
      const { error } = yield* outcome(get(service))
      expect(error).toMatchObject({ _tag: "CredentialError", reason: "unavailable" })
      expect(printed(error)).not.toContain(canary)
      expect(server.requests).toEqual([])
      expect((yield* outcome(get(service))).error?.message).toBeUndefined()
      expect(vault.fetches).toBe(2)
    }),
  )

  it.effect("after a 401 causes a CredentialError, and is used again by the next request", () =>
    Effect.gen(function* () {
      const vault = { fetches: 0 }
      const secret = Effect.suspend(() =>
        ++vault.fetches === 2 ? Effect.die(new Error(canary)) : Effect.succeed(Redacted.make(`t${vault.fetches}`)),
      )
      const server = accepting(["t3"])
      const service = yield* clientOf(server, { credential: Credential.bearer(secret) })
      const { error } = yield* outcome(get(service))
      expect(error).toMatchObject({ _tag: "CredentialError", reason: "unavailable" })
      expect(printed(error)).not.toContain(canary)
      expect(server.requests).toHaveLength(1)
      expect((yield* outcome(get(service))).error?.message).toBeUndefined()
      expect(server.requests.map(tokenOf)).toEqual(["t1", "t3"])
    }),
  )
})

describe("interruption of the request that fetches the credential", () => {
  it.effect("after a 401 does not hang the others", () =>
    Effect.gen(function* () {
      const vault = { fetches: 0 }
      const secret = Effect.suspend(() =>
        ++vault.fetches === 1
          ? Effect.succeed(Redacted.make("t1"))
          : Effect.delay(Effect.succeed(Redacted.make(`t${vault.fetches}`)), "10 seconds"),
      )
      const server = fake((_, request) => (tokenOf(request) === "t1" ? status(401) : ok()))
      const service = yield* clientOf(server, { ...withoutRetries, credential: Credential.bearer(secret) })
      const interrupting = Effect.gen(function* () {
        const first = yield* Effect.forkChild(get(service))
        yield* settle
        const others = yield* Effect.forkChild(getConcurrently(service, 5))
        yield* settle
        expect(vault.fetches).toBe(2)
        yield* Fiber.interrupt(first)
        return yield* Fiber.join(others)
      })
      const { exit } = yield* drive(interrupting)
      expect((yield* exit).every(Result.isSuccess)).toBe(true)
      expect(vault.fetches).toBeLessThanOrEqual(3)
    }),
  )
})
