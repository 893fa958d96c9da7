import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder, RetryPolicy, type ServiceClient } from "@vigil/core-http"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { type Asked, clientOf, drive, fake, get, ok, outcome, printed, settle, status } from "./fake.js"

const canary = "canary-9c41d0"

/** A vault that hands out `t1`, `t2`, …, each after so long, and counts. */
const vaultOf = (takes: Duration.DurationInput = 0) => {
  const vault = { had: 0 }
  const secret = Effect.suspend(() => {
    vault.had += 1
    return Effect.delay(Effect.succeed(Redacted.make(`t${vault.had}`)), takes)
  })
  return { vault, secret }
}

const tokenOf = ({ headers }: Asked) => headers["authorization"]?.replace("Bearer ", "") ?? headers["x-api-token"]

/** A service that accepts these tokens only, and takes so long to answer its n-th request. */
const accepting = (accepted: ReadonlyArray<string>, takes: (n: number) => number = () => 0) =>
  fake((n, asked) =>
    Effect.delay(
      Effect.sync(() => (accepted.includes(tokenOf(asked) ?? "") ? ok() : status(401))),
      takes(n),
    ),
  )

const together = (service: ServiceClient.Service, times: number) =>
  Effect.all(
    Array.from({ length: times }, () => Effect.either(get(service))),
    { concurrency: "unbounded" },
  )

const patient = { concurrency: 100, retry: RetryPolicy.none }

describe("a credential from an effect", () => {
  it.scoped("is not had before the first request", () =>
    Effect.gen(function* () {
      const { secret, vault } = vaultOf()
      const service = yield* clientOf(accepting(["t1"]), { credential: Credential.bearer(secret) })
      expect(vault.had).toBe(0)
      yield* outcome(get(service))
      expect(vault.had).toBe(1)
    }),
  )

  it.scoped("is had once for all requests, one after another and together", () =>
    Effect.gen(function* () {
      const { secret, vault } = vaultOf("2 seconds")
      const server = accepting(["t1"], () => 500)
      const service = yield* clientOf(server, { ...patient, credential: Credential.bearer(secret) })
      const { exit } = yield* drive(together(service, 30))
      expect((yield* exit).every(Either.isRight)).toBe(true)
      yield* drive(Effect.replicateEffect(get(service), 5))
      expect(vault.had).toBe(1)
      expect(server.asked).toHaveLength(35)
      expect(new Set(server.asked.map(tokenOf))).toEqual(new Set(["t1"]))
    }),
  )

  it.scoped("is each client's own, though the description of it is shared", () =>
    Effect.gen(function* () {
      const { secret, vault } = vaultOf()
      const credential = Credential.bearer(secret)
      const first = yield* clientOf(accepting(["t1"]), { credential })
      const second = yield* clientOf(accepting(["t2"]), { credential })
      expect((yield* outcome(get(first))).error?.message).toBeUndefined()
      expect((yield* outcome(get(second))).error?.message).toBeUndefined()
      expect(vault.had).toBe(2)
    }),
  )

  it.scoped("is had again when the service refuses it, and the same request is repeated with it", () =>
    Effect.gen(function* () {
      const { secret, vault } = vaultOf()
      const server = accepting(["t2"])
      const service = yield* clientOf(server, { ...patient, credential: Credential.header("X-API-Token", secret) })
      const { error } = yield* outcome(get(service))
      expect(error?.message).toBeUndefined()
      expect(vault.had).toBe(2)
      expect(server.asked.map(({ headers }) => headers["x-api-token"])).toEqual(["t1", "t2"])
    }),
  )

  it.scoped("repeats a change with all that it carries", () =>
    Effect.gen(function* () {
      const { secret } = vaultOf()
      const server = accepting(["t2"])
      const service = yield* clientOf(server, { ...patient, credential: Credential.bearer(secret) })
      const url = service.url("/things/a%2Fb", { $filter: "x eq 'y'" })
      const { error } = yield* outcome(
        service.request({
          operation: "Thing.make",
          url,
          decode: Decoder.nothing,
          method: "POST",
          body: { name: "é", of: [1] },
        }),
      )
      expect(error?.message).toBeUndefined()
      expect(server.asked.map(tokenOf)).toEqual(["t1", "t2"])
      const [first, second] = server.asked.map(({ body, headers, method, url }) => ({
        body,
        headers: { ...headers, authorization: "" },
        method,
        url,
      }))
      expect(second).toEqual(first)
      expect(first).toMatchObject({ method: "POST", body: `{"name":"é","of":[1]}` })
    }),
  )

  it.scoped("is not had a third time for one request: it is Unauthorized", () =>
    Effect.gen(function* () {
      const { secret, vault } = vaultOf()
      const server = accepting([])
      const service = yield* clientOf(server, {
        credential: Credential.bearer(secret),
        retry: RetryPolicy.make({ baseDelay: 0 }),
      })
      const { at, error } = yield* outcome(get(service))
      expect(error).toMatchObject({ _tag: "Unauthorized", status: 401 })
      expect(server.asked.map(tokenOf)).toEqual(["t1", "t2"])
      expect(vault.had).toBe(2)
      expect(at).toBe(0)
    }),
  )

  it.scoped("is kept when the service refuses with 403", () =>
    Effect.gen(function* () {
      const { secret, vault } = vaultOf()
      const server = fake(() => status(403))
      const service = yield* clientOf(server, { credential: Credential.bearer(secret) })
      yield* outcome(get(service))
      yield* outcome(get(service))
      expect(vault.had).toBe(1)
      expect(server.asked).toHaveLength(2)
    }),
  )

  it.scoped("is refused and repeated without a retry, a wait, or any of the budget", () =>
    Effect.gen(function* () {
      const { secret } = vaultOf()
      const server = accepting(["t2"])
      const service = yield* clientOf(server, {
        credential: Credential.bearer(secret),
        retry: RetryPolicy.make({ retries: 0, budget: 0, baseDelay: "1 seconds" }),
      })
      const { at, error } = yield* outcome(get(service))
      expect(error?.message).toBeUndefined()
      expect(at).toBe(0)
    }),
  )

  it.scoped("leaves the retries and the budget to what follows", () =>
    Effect.gen(function* () {
      const { secret } = vaultOf()
      const server = fake((n) => [status(401), status(503), ok()][n - 1] ?? status(500))
      const service = yield* clientOf(server, {
        credential: Credential.bearer(secret),
        retry: RetryPolicy.make({ retries: 1, budget: 1, baseDelay: 0 }),
      })
      const { error } = yield* outcome(get(service))
      expect(error?.message).toBeUndefined()
      expect(server.asked).toHaveLength(3)
    }),
  )

  it.scoped("is repeated once also where retries come between the refusals", () =>
    Effect.gen(function* () {
      const { secret, vault } = vaultOf()
      const server = fake((n) => status(n % 2 === 1 ? 401 : 503))
      const service = yield* clientOf(server, {
        credential: Credential.bearer(secret),
        retry: RetryPolicy.make({ retries: 5, baseDelay: 0 }),
      })
      const { error } = yield* outcome(get(service))
      expect(error).toMatchObject({ _tag: "Unauthorized" })
      expect(server.asked).toHaveLength(3)
      expect(vault.had).toBe(2)
    }),
  )
})

describe("a literal credential", () => {
  it.scoped("that is refused is not sent again, as it stays the same", () =>
    Effect.gen(function* () {
      const server = accepting([])
      const service = yield* clientOf(server, {
        credential: Credential.bearer(Redacted.make(canary)),
        retry: RetryPolicy.make({ baseDelay: 0 }),
      })
      const { error } = yield* outcome(get(service))
      expect(error).toMatchObject({ _tag: "Unauthorized" })
      expect(server.asked).toHaveLength(1)
    }),
  )

  it.scoped("that is none is not sent again either", () =>
    Effect.gen(function* () {
      const server = accepting([])
      const service = yield* clientOf(server, { credential: Credential.none })
      expect((yield* outcome(get(service))).error).toMatchObject({ _tag: "Unauthorized" })
      expect(server.asked).toHaveLength(1)
      expect(server.asked[0]?.headers).not.toHaveProperty("authorization")
    }),
  )
})

describe("an expired token", () => {
  it.scoped.each([2, 50])("that %i requests meet together is had again once, and all succeed", (times) =>
    Effect.gen(function* () {
      const { secret, vault } = vaultOf("3 seconds")
      const server = accepting(["t2"], () => 1_000)
      const service = yield* clientOf(server, { ...patient, credential: Credential.bearer(secret) })
      const { exit } = yield* drive(together(service, times))
      expect((yield* exit).every(Either.isRight)).toBe(true)
      expect(vault.had).toBe(2)
      expect(server.asked.map(tokenOf)).toEqual([
        ...Array.from({ length: times }, () => "t1"),
        ...Array.from({ length: times }, () => "t2"),
      ])
    }),
  )

  it.scoped("that is refused late, after it was had again, is not had a third time", () =>
    Effect.gen(function* () {
      const { secret, vault } = vaultOf()
      // The second request is refused long after the first one was, repeated and answered.
      const server = accepting(["t2"], (n) => (n === 2 ? 20_000 : 100))
      const service = yield* clientOf(server, { ...patient, credential: Credential.bearer(secret) })
      const { exit } = yield* drive(together(service, 2))
      expect((yield* exit).every(Either.isRight)).toBe(true)
      expect(vault.had).toBe(2)
      expect(server.asked.map(tokenOf)).toEqual(["t1", "t1", "t2", "t2"])
    }),
  )
})

describe("the time to live", () => {
  const options = { timeToLive: "10 seconds" } as const

  it.scoped("keeps a token until it is that old, and has it again then", () =>
    Effect.gen(function* () {
      const { secret, vault } = vaultOf()
      const server = accepting(["t1", "t2", "t3"])
      const service = yield* clientOf(server, { ...patient, credential: Credential.bearer(secret, options) })
      yield* outcome(get(service))
      yield* TestClock.setTime(9_999)
      yield* outcome(get(service))
      expect(vault.had).toBe(1)
      yield* TestClock.setTime(10_001)
      const { exit } = yield* drive(together(service, 20))
      expect((yield* exit).every(Either.isRight)).toBe(true)
      expect(vault.had).toBe(2)
      yield* TestClock.setTime(20_000)
      yield* outcome(get(service))
      expect(vault.had).toBe(2)
      yield* TestClock.setTime(20_002)
      yield* outcome(get(service))
      expect(server.asked.map(tokenOf)).toEqual(["t1", "t1", ...Array.from({ length: 21 }, () => "t2"), "t3"])
    }),
  )

  it.scoped("is no limit where none is set", () =>
    Effect.gen(function* () {
      const { secret, vault } = vaultOf()
      const service = yield* clientOf(accepting(["t1"]), { credential: Credential.bearer(secret) })
      yield* outcome(get(service))
      yield* TestClock.adjust("3650 days")
      yield* outcome(get(service))
      expect(vault.had).toBe(1)
    }),
  )

  it.scoped("is outlived by no token on a clock that jumps ten years forth: it is had again once", () =>
    Effect.gen(function* () {
      const { secret, vault } = vaultOf("1 seconds")
      const server = accepting(["t1", "t2"])
      const service = yield* clientOf(server, { ...patient, credential: Credential.bearer(secret, options) })
      yield* drive(together(service, 50))
      yield* TestClock.adjust("3650 days")
      const { exit } = yield* drive(together(service, 50))
      expect((yield* exit).every(Either.isRight)).toBe(true)
      expect(vault.had).toBe(2)
    }),
  )

  it.scoped("costs one refresh at most on a clock that jumps back, and none for each request", () =>
    Effect.gen(function* () {
      const { secret, vault } = vaultOf()
      const server = accepting(["t1", "t2"])
      yield* TestClock.setTime(1_000_000)
      const service = yield* clientOf(server, { ...patient, credential: Credential.bearer(secret, options) })
      yield* drive(together(service, 50))
      yield* TestClock.setTime(0)
      const { exit } = yield* drive(together(service, 50))
      expect((yield* exit).every(Either.isRight)).toBe(true)
      yield* drive(together(service, 50))
      expect(vault.had).toBeLessThanOrEqual(2)
    }),
  )

  it.scoped("is outlived by no token on a clock that jumps back", () =>
    Effect.gen(function* () {
      const { secret, vault } = vaultOf()
      yield* TestClock.setTime(1_000_000)
      const server = accepting(["t1", "t2", "t3"])
      const service = yield* clientOf(server, { ...patient, credential: Credential.bearer(secret, options) })
      yield* outcome(get(service))
      yield* TestClock.setTime(0)
      yield* outcome(get(service))
      yield* TestClock.adjust("11 seconds")
      yield* outcome(get(service))
      const used = server.asked.map(tokenOf)
      expect(used[2]).not.toBe(used[0])
      expect(vault.had).toBeLessThanOrEqual(3)
    }),
  )
})

describe("a vault that fails", () => {
  it.scoped("is a CredentialError without its words, and is asked again by the next request", () =>
    Effect.gen(function* () {
      const vault = { had: 0 }
      const secret = Effect.suspend(() =>
        ++vault.had === 1 ? Effect.fail(new Error(canary)) : Effect.succeed(Redacted.make("t2")),
      )
      const server = accepting(["t2"])
      const service = yield* clientOf(server, { credential: Credential.bearer(secret) })
      const { error } = yield* outcome(get(service))
      expect(error).toMatchObject({ _tag: "CredentialError", reason: "unavailable" })
      expect(printed(error)).not.toContain(canary)
      expect(server.asked).toEqual([])
      expect((yield* outcome(get(service))).error?.message).toBeUndefined()
      expect(vault.had).toBe(2)
    }),
  )

  it.scoped("when the token is refused is a CredentialError, and is asked again by the next request", () =>
    Effect.gen(function* () {
      const vault = { had: 0 }
      const secret = Effect.suspend(() =>
        ++vault.had === 2 ? Effect.die(new Error(canary)) : Effect.succeed(Redacted.make(`t${vault.had}`)),
      )
      const server = accepting(["t3"])
      const service = yield* clientOf(server, { credential: Credential.bearer(secret) })
      const { error } = yield* outcome(get(service))
      expect(error).toMatchObject({ _tag: "CredentialError", reason: "unavailable" })
      expect(printed(error)).not.toContain(canary)
      expect(server.asked).toHaveLength(1)
      expect((yield* outcome(get(service))).error?.message).toBeUndefined()
      expect(server.asked.map(tokenOf)).toEqual(["t1", "t3"])
    }),
  )

  it.scoped("fails all who wait for it, and leaves none of them hanging", () =>
    Effect.gen(function* () {
      const server = accepting([])
      const secret = Effect.delay(Effect.fail("locked"), "1 seconds")
      const service = yield* clientOf(server, { ...patient, credential: Credential.bearer(secret) })
      const { exit } = yield* drive(together(service, 10))
      const tags = (yield* exit).map((either) => (Either.isLeft(either) ? either.left._tag : "none"))
      expect(new Set(tags)).toEqual(new Set(["CredentialError"]))
      expect(server.asked).toEqual([])
    }),
  )

  it.scoped("hands out what no header can carry: nothing is sent", () =>
    Effect.gen(function* () {
      const server = accepting([])
      const secret = Effect.succeed(Redacted.make(`${canary}\r\nx-other: 1`))
      const service = yield* clientOf(server, { credential: Credential.bearer(secret) })
      const { error } = yield* outcome(get(service))
      expect(error).toMatchObject({ _tag: "CredentialError", reason: "malformed" })
      expect(printed(error)).not.toContain(canary)
      expect(server.asked).toEqual([])
    }),
  )

  it.scoped("by never handing out anything ends with a timeout, not in a hang", () =>
    Effect.gen(function* () {
      const service = yield* clientOf(accepting([]), {
        credential: Credential.bearer(Effect.never),
        totalTimeout: "5 seconds",
      })
      const { at, error } = yield* outcome(get(service))
      expect(["TimeoutError", "CredentialError"]).toContain(error?._tag)
      expect(at).toBeLessThanOrEqual(5_000)
    }),
  )
})

describe("interruption of the request that has the credential", () => {
  it.scoped("for the first time does not hang the others", () =>
    Effect.gen(function* () {
      const { secret } = vaultOf("10 seconds")
      const server = accepting(["t1", "t2"])
      const service = yield* clientOf(server, { ...patient, credential: Credential.bearer(secret) })
      const first = yield* Effect.fork(get(service))
      yield* settle
      const others = yield* Effect.fork(together(service, 5))
      yield* settle
      yield* TestClock.adjust("1 seconds")
      yield* Fiber.interrupt(first)
      const { exit } = yield* drive(Fiber.join(others))
      expect((yield* exit).every(Either.isRight)).toBe(true)
      expect(server.asked).toHaveLength(5)
    }),
  )

  it.scoped("after a 401 does not hang the others", () =>
    Effect.gen(function* () {
      const vault = { had: 0 }
      const secret = Effect.suspend(() =>
        ++vault.had === 1
          ? Effect.succeed(Redacted.make("t1"))
          : Effect.delay(Effect.succeed(Redacted.make(`t${vault.had}`)), "10 seconds"),
      )
      const server = fake((_, asked) => (tokenOf(asked) === "t1" ? status(401) : ok()))
      const service = yield* clientOf(server, { ...patient, credential: Credential.bearer(secret) })
      const first = yield* Effect.fork(get(service))
      yield* settle
      const others = yield* Effect.fork(together(service, 5))
      yield* settle
      expect(vault.had).toBe(2)
      yield* Fiber.interrupt(first)
      const { exit } = yield* drive(Fiber.join(others))
      expect((yield* exit).every(Either.isRight)).toBe(true)
      expect(vault.had).toBeLessThanOrEqual(3)
    }),
  )

  it.scoped("by its total timeout does not hang the others", () =>
    Effect.gen(function* () {
      const vault = { had: 0 }
      const secret = Effect.suspend(() =>
        ++vault.had === 1 ? Effect.never : Effect.succeed(Redacted.make(`t${vault.had}`)),
      )
      const server = accepting(["t2"])
      const service = yield* clientOf(server, {
        ...patient,
        credential: Credential.bearer(secret),
        totalTimeout: "5 seconds",
      })
      yield* drive(together(service, 5))
      const { error } = yield* outcome(get(service))
      expect(error?.message).toBeUndefined()
    }),
  )
})
