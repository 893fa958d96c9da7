/** A credential from an effect: fetched once, renewed after a 401, and tied to the scope of the client. */
import { describe, expect, it } from "@effect/vitest"
import { Credential, Retry, type ServiceClient } from "@vigil/core-http"
import * as property from "@vigil/testing/property"
import { HttpClientRequest } from "effect/http"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as FastCheck from "fast-check"
import * as TestClock from "effect/testing/TestClock"
import { type FakeRequest, clientOf, drive, fake, get, ok, outcome, settle, status } from "./fake.js"

/** A vault that returns `t1`, `t2` and so on after a delay, and counts its fetches. */
const makeVault = (delay: Duration.Input = 0) => {
  const vault = { fetches: 0 }
  const secret = Effect.suspend(() => Effect.delay(Effect.succeed(Redacted.make(`t${++vault.fetches}`)), delay))
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

/** A client without retries. */
const connect = (
  server: ReturnType<typeof fake>,
  secret: Credential.Secret,
  options: Partial<ServiceClient.Options> = {},
) => clientOf(server, { concurrency: 100, retry: Retry.none, credential: Credential.bearer(secret), ...options })

/** Sends concurrent requests, which all succeed. */
const getConcurrently = (service: ServiceClient.Service, times: number) =>
  Effect.flatMap(drive(Effect.replicateEffect(get(service), times, { concurrency: "unbounded" })), ({ exit }) => exit)

const repeated = (times: number, token: string) => Array.from({ length: times }, () => token)

describe("a credential from an effect", () => {
  it.effect("is renewed after a 401, and a change is sent again with its body and headers", () =>
    Effect.gen(function* () {
      const server = accepting(["t2"])
      const service = yield* connect(server, makeVault().secret)
      const url = service.url("/things/a%2Fb", { $filter: "x eq y" })
      const change = HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(url), { name: "é" })
      expect((yield* outcome(service.httpClient.execute(change))).error).toBeUndefined()
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
      const retries = { retry: Retry.exponential(0, 1), retryBudget: 1 }
      const service = yield* connect(server, makeVault().secret, retries)
      expect((yield* outcome(get(service))).error).toBeUndefined()
      expect(server.requests).toHaveLength(3)
    }),
  )

  it.effect("that expires is renewed once for 50 concurrent requests, and all succeed", () =>
    Effect.gen(function* () {
      const { secret, vault } = makeVault("3 seconds")
      const server = accepting(["t2"], () => 1_000)
      yield* getConcurrently(yield* connect(server, secret), 50)
      expect(vault.fetches).toBe(2)
      expect(server.requests.map(tokenOf)).toEqual([...repeated(50, "t1"), ...repeated(50, "t2")])
    }),
  )

  it.effect("that is rejected after it was renewed is not renewed again", () =>
    Effect.gen(function* () {
      const { secret, vault } = makeVault()
      // The second request is rejected long after the first one was sent again.
      const server = accepting(["t2"], (n) => (n === 2 ? 20_000 : 100))
      yield* getConcurrently(yield* connect(server, secret), 2)
      expect(vault.fetches).toBe(2)
      expect(server.requests.map(tokenOf)).toEqual(["t1", "t1", "t2", "t2"])
    }),
  )
})

describe("the lifetime of a secret", () => {
  const lasting = (secret: Effect.Effect<Redacted.Redacted>, lifetime: Duration.Input) =>
    Effect.map(secret, (secret) => ({ secret, lifetime }))

  it.effect("ends its use, and the next one is fetched once for all requests when a tenth is left", () =>
    Effect.gen(function* () {
      const { secret, vault } = makeVault()
      const server = accepting(["t1", "t2", "t3"])
      const service = yield* connect(server, lasting(secret, "10 seconds"))
      for (const time of [0, 8_999, 9_001, 9_002, 19_003]) {
        yield* TestClock.setTime(time)
        yield* getConcurrently(service, 20)
      }
      const expected = [...repeated(60, "t1"), ...repeated(20, "t2"), ...repeated(20, "t3")]
      expect(server.requests.map(tokenOf)).toEqual(expected)
      expect(vault.fetches).toBe(3)
    }),
  )

  it.effect("of zero fetches it after the wait for the rate limiter", () =>
    Effect.gen(function* () {
      const secret = Effect.map(Clock.currentTimeMillis, (now) => Redacted.make(`${now}`))
      const server = fake(ok)
      const service = yield* connect(server, lasting(secret, 0), { rateLimit: { requests: 1, per: "1 minute" } })
      yield* outcome(get(service))
      yield* outcome(get(service))
      expect(server.requests.map(tokenOf)).toEqual(["0", "60000"])
    }),
  )

  it.effect("applies if the clock jumps ten years forward or back", () =>
    Effect.gen(function* () {
      const { secret, vault } = makeVault()
      const service = yield* connect(accepting(["t1", "t2", "t3", "t4"]), lasting(secret, "10 seconds"))
      for (const time of [0, 315_360_000_000, 0, 11_000]) {
        yield* TestClock.setTime(time)
        yield* getConcurrently(service, 50)
      }
      expect([3, 4]).toContain(vault.fetches)
    }),
  )
})

describe("a token of one hour", () => {
  /** The token or the problem of a request at each minute. `respond` fetches the n-th token. */
  const tokensAt = (
    minutes: ReadonlyArray<number>,
    respond: (n: number) => Effect.Effect<void, Error & { readonly isRetryable?: boolean }>,
  ) =>
    Effect.gen(function* () {
      let fetches = 0
      const fetch = Effect.suspend(() => {
        const n = ++fetches
        const token = { secret: Redacted.make(`t${n}`), lifetime: Duration.hours(1) }
        return Effect.as(respond(n), token)
      })
      const server = fake(ok)
      const service = yield* clientOf(server, { credential: Credential.fromToken(fetch), retry: Retry.none })
      const used: Array<unknown> = []
      for (const minute of minutes) {
        yield* TestClock.setTime(minute * 60_000)
        const fiber = yield* Effect.forkChild(Effect.result(get(service)))
        yield* settle
        const result = fiber.pollUnsafe() === undefined ? undefined : yield* Fiber.join(fiber)
        const request = server.requests.at(-1)
        used.push(result?._tag === "Success" && request !== undefined ? tokenOf(request) : result?._tag)
      }
      return used
    })

  const down = Effect.fail(Object.assign(new Error("Down."), { isRetryable: true }))
  const refused = Effect.fail(new Error("Refused."))

  it.effect.each<[string, (n: number) => Effect.Effect<void, Error>, ReadonlyArray<unknown>]>([
    ["is replaced in the background", () => Effect.void, ["t1", "t1", "t1", "t2", "t2", "t2"]],
    [
      "is used until it expires if the endpoint is down",
      (n) => (n > 1 ? down : Effect.void),
      ["t1", "t1", "t1", "t1", "t1", "Failure"],
    ],
    [
      "is replaced after the endpoint was down",
      (n) => (n === 2 ? down : Effect.void),
      ["t1", "t1", "t1", "t1", "t3", "t3"],
    ],
    [
      "is used until it expires if the endpoint hangs",
      (n) => (n > 1 ? Effect.never : Effect.void),
      ["t1", "t1", "t1", "t1", "t1", undefined],
    ],
    [
      "is used until it expires if the endpoint refuses the next one",
      (n) => (n > 1 ? refused : Effect.void),
      ["t1", "t1", "t1", "t1", "t1", "Failure"],
    ],
  ])("%s", ([, respond, expected]) =>
    Effect.gen(function* () {
      expect(yield* tokensAt([0, 54, 56, 57, 59, 61], respond)).toEqual(expected)
    }),
  )
})

const outcomes = FastCheck.constantFrom<Effect.Effect<void, unknown>>(
  Effect.void,
  Effect.fail("refused"),
  Effect.fail({ isRetryable: false }),
  Effect.fail({ isRetryable: true }),
  Effect.die(new Error("defect")),
  Effect.never,
)

property.live(
  "no valid secret is dropped, whatever its renewals end with",
  [
    FastCheck.array(outcomes, { maxLength: 20 }),
    FastCheck.array(FastCheck.integer({ min: 1, max: 40_000 }), { maxLength: 20 }),
  ],
  ([renewals, pauses]) =>
    Effect.gen(function* () {
      let fetches = 0
      let expiry = 0
      const secret = Effect.gen(function* () {
        const n = ++fetches
        yield* Effect.delay(n === 1 ? Effect.void : (renewals[n - 2] ?? Effect.void), 500)
        expiry = (yield* Clock.currentTimeMillis) + 60_000
        return { secret: Redacted.make(`t${n}`), lifetime: "1 minute" as const }
      })
      const service = yield* connect(fake(ok), secret)
      yield* drive(get(service))
      for (const pause of pauses) {
        yield* TestClock.adjust(pause)
        const begin = yield* Clock.currentTimeMillis
        const isValid = begin < expiry
        const { at, error } = yield* outcome(get(service))
        if (isValid) expect([error, at]).toEqual([undefined, begin])
      }
    }).pipe(Effect.provide(TestClock.layer())),
  { fastCheck: { numRuns: 100 } },
)

it.effect.each([
  ["the old secret is valid", 56, 200],
  ["the old secret has ended", 61, 200],
  ["the service rejects the old secret", 1, 401],
] as const)("a refused renewal is repeated after 10 seconds, and not by each request, when %s", ([, minute, code]) =>
  Effect.gen(function* () {
    let fetches = 0
    const secret = Effect.suspend(() =>
      ++fetches === 1
        ? Effect.succeed({ secret: Redacted.make("t1"), lifetime: "1 hour" as const })
        : Effect.fail("refused"),
    )
    const server = fake((n) => (n === 1 ? ok() : new Response("{}", { status: code })))
    const service = yield* connect(server, secret)
    yield* getConcurrently(service, 1)
    for (let second = 0; second < 200; second++) {
      yield* TestClock.setTime(minute * 60_000 + second * 1_000)
      const { error } = yield* outcome(get(service))
      expect(error?.reason._tag).toBe(minute === 56 ? undefined : "Credential")
    }
    expect(fetches).toBe(1 + 20)
  }),
)

it.effect("requests that wait for the rate limit share the failure of a renewal", () =>
  Effect.gen(function* () {
    let fetches = 0
    const secret = Effect.suspend(() =>
      ++fetches === 1 ? Effect.succeed({ secret: Redacted.make("t1"), lifetime: "1 second" as const }) : Effect.never,
    )
    const service = yield* connect(fake(ok), secret, { rateLimit: { requests: 1, per: "2 seconds" } })
    const { at, exit } = yield* drive(
      Effect.replicateEffect(Effect.result(get(service)), 4, { concurrency: "unbounded" }),
    )
    const timedOut = { failure: { reason: { _tag: "Credential", problem: "timeout" } } }
    expect(yield* exit).toMatchObject([{ _tag: "Success" }, timedOut, timedOut, timedOut])
    expect([at, fetches]).toEqual([32_000, 2])
  }),
)

it.effect("a refused link fetches no secret", () =>
  Effect.gen(function* () {
    const { secret, vault } = makeVault()
    const service = yield* connect(fake(ok), secret)
    const call = service.get({ operation: "Thing.get", url: "https://evil.example", decode: Effect.succeed })
    expect((yield* outcome(call)).reason).toMatchObject({ _tag: "Link", target: "https://evil.example" })
    expect(vault.fetches).toBe(0)
  }),
)

describe("a fetch", () => {
  it.effect.each([
    ["the first one", 1, "refused"],
    ["a renewal that may succeed later", 2, { isRetryable: true }],
  ] as const)("that fails is repeated by the next request: %s", ([, failing, failure]) =>
    Effect.gen(function* () {
      const { secret, vault } = makeVault()
      const server = accepting([`t${failing + 1}`])
      const unlocked = Effect.tap(secret, () => (vault.fetches === failing ? Effect.fail(failure) : Effect.void))
      const service = yield* connect(server, unlocked)
      const { error } = yield* outcome(get(service))
      expect(error).toMatchObject({ reason: { _tag: "Credential", problem: "unavailable" }, maybeApplied: false })
      expect(server.requests).toHaveLength(failing - 1)
      expect((yield* outcome(get(service))).error).toBeUndefined()
    }),
  )

  it.effect("that takes too long fails all waiting requests, also if they cannot be interrupted", () =>
    Effect.gen(function* () {
      let fetches = 0
      const secret = Effect.suspend(() => (++fetches === 1 ? Effect.never : Effect.succeed(Redacted.make("t"))))
      const service = yield* connect(fake(ok), secret, { timeout: "1 second" })
      const first = yield* Effect.forkDetach(Effect.uninterruptible(Effect.flip(get(service))))
      yield* settle
      const second = yield* Effect.forkChild(Effect.flip(get(service)))
      yield* settle
      yield* TestClock.adjust("1 second")
      const timedOut = { reason: { _tag: "Credential", problem: "timeout" }, isRetryable: true, maybeApplied: false }
      expect([yield* Fiber.join(first), yield* Fiber.join(second)]).toMatchObject([timedOut, timedOut])
      expect((yield* outcome(get(service))).error).toBeUndefined()
    }),
  )

  it.effect("is not necessary for a fixed secret, also in a finalizer of the scope of the client", () =>
    Effect.gen(function* () {
      const server = fake(ok)
      const options = { credential: Credential.bearer(Redacted.make("t")) }
      const use = Effect.gen(function* () {
        const scope = yield* Effect.scope
        const service = yield* clientOf(server, options)
        yield* Scope.addFinalizer(scope, Effect.orDie(get(service)))
      })
      yield* Effect.scoped(use)
      expect(server.requests.map(({ headers }) => headers["authorization"])).toEqual(["Bearer t"])
    }),
  )

  it.effect("is interrupted when the scope of the client closes, and then impossible", () =>
    Effect.gen(function* () {
      let interrupted = false
      const secret = Effect.onInterrupt(Effect.never, () => Effect.sync(() => (interrupted = true)))
      const scope = yield* Scope.make()
      const service = yield* Scope.provide(connect(fake(ok), secret), scope)
      const request = yield* Effect.forkChild(Effect.flip(get(service)))
      yield* settle
      yield* Scope.close(scope, Exit.void)
      expect(interrupted).toBe(true)
      const closed = { reason: { _tag: "Credential", problem: "closed" }, isRetryable: false }
      expect(yield* Fiber.join(request)).toMatchObject(closed)
      expect((yield* outcome(get(service))).error).toMatchObject(closed)
    }),
  )
})
