/** Which requests are retried, when, and how often. */
import { describe, expect, it } from "@effect/vitest"
import { Credential, type Request, type RequestError, Retry, type ServiceClient } from "@vigil/core-http"
import { HttpClientRequest } from "effect/http"
import * as random from "@vigil/testing/random"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/testing/TestClock"
import { type FakeResponse, clientOf, drive, fake, get, lost, ok, outcome, status, times } from "./fake.js"

const withRandom = (number: number) => Effect.provideService(Random.Random, random.fixed([number]))

/** Retries without a wait. */
const atOnce = (retries = 3) => Retry.exponential(0, retries)

const thing = "https://service.example/thing"

const read = HttpClientRequest.get(thing)

const changes = [
  ...[HttpClientRequest.post, HttpClientRequest.put, HttpClientRequest.patch].map((make) =>
    HttpClientRequest.bodyJsonUnsafe(make(thing), {}),
  ),
  HttpClientRequest.delete(thing),
]

const send = (
  { httpClient }: ServiceClient.Service,
  request: HttpClientRequest.HttpClientRequest,
  options: Request.Options = {},
) => outcome(httpClient.withOptions(options).execute(request))

describe("a failed request", () => {
  const failures: ReadonlyArray<readonly [string, () => FakeResponse]> = [
    ["whose connection fails", () => lost],
    ["that times out", () => Effect.never],
    ...[408, 500, 502, 503, 504].map((code) => [`with status ${code}`, () => status(code)] as const),
  ]

  it.effect.each(failures)(
    "%s is retried, with its body, if it is a GET or idempotent, and otherwise not",
    ([, respond]) =>
      Effect.gen(function* () {
        const options = { retry: atOnce(2), timeout: "1 seconds" } as const
        for (const request of [read, ...changes]) {
          const server = fake((n) => (n < 3 ? respond() : ok()))
          const service = yield* clientOf(server, options)
          expect((yield* send(service, request, request === read ? {} : { idempotent: true })).error).toBeUndefined()
          const body = request.body._tag === "Empty" ? "" : "{}"
          expect(server.requests).toMatchObject(Array.from({ length: 3 }, () => ({ method: request.method, body })))
        }
        for (const request of [read, ...changes]) {
          const server = fake(respond)
          yield* send(yield* clientOf(server, options), request, request === read ? { idempotent: false } : {})
          expect(server.requests).toHaveLength(1)
        }
      }),
  )

  it.effect("with status 429 is always retried, because it was not processed", () =>
    Effect.gen(function* () {
      for (const request of changes) {
        const server = fake((n) => (n === 1 ? status(429) : ok()))
        expect((yield* send(yield* clientOf(server, { retry: atOnce() }), request)).error).toBeUndefined()
        expect(server.requests).toHaveLength(2)
      }
    }),
  )
})

describe("the wait before a retry", () => {
  const seven = Retry.exponential("200 millis", 7)
  const spaced = Schedule.spaced("5 seconds").pipe(
    Schedule.setInputType<RequestError.RequestError>(),
    Schedule.while(({ attempt, input }) => input.reason._tag === "ServiceFailure" && attempt <= 2),
  )

  it.effect.each<[string, Retry.Retry | undefined, number, ReadonlyArray<number>]>([
    ["is 0 with the smallest random number", seven, 0, [0, 0, 0, 0, 0, 0, 0, 0]],
    [
      "is a random part of a delay that doubles up to 10 seconds",
      seven,
      0.5,
      [0, 100, 300, 700, 1_500, 3_100, 6_300, 11_300],
    ],
    ["is that delay with the largest random number", seven, 1, [0, 200, 600, 1_400, 3_000, 6_200, 12_600, 22_600]],
    ["follows 3 attempts by default", undefined, 1, [0, 200, 600, 1_400]],
    ["does not exist without retries", Retry.none, 1, [0]],
    ["is that of any schedule, which receives the errors", spaced, 1, [0, 5_000, 10_000]],
  ])("%s", ([, retry, draw, expected]) =>
    Effect.gen(function* () {
      const server = fake(() => status(503))
      yield* outcome(get(yield* clientOf(server, { retry }))).pipe(withRandom(draw))
      expect(times(server)).toEqual(expected)
    }),
  )

  // The test clock is at 1970-01-01T00:00:00Z.
  it.effect.each([
    [0, "3", 3_000],
    [0, "60", 60_000],
    [0, "Thu, 01 Jan 1970 00:00:30 GMT", 30_000],
    [0, "Thursday, 01-Jan-70 00:00:30 GMT", 30_000],
    [0, "Thu Jan  1 00:00:30 1970", 30_000],
    // A tenth more, so that clients do not all retry at once.
    [1, "20", 22_000],
    [1, "58", 60_000],
    // Too long.
    [0, "61", undefined],
    [0, "315360000", undefined],
    [0, "Thu, 01 Jan 1970 00:01:01 GMT", undefined],
    // The backoff, because the header is missing or invalid.
    ...[undefined, "", "abc", "-1", "5 seconds", "NaN", "0x10", "1, 2", "7.5", "1e3"].map(
      (header) => [0.5, header, 100] as const,
    ),
    ...["Wed, 31 Dec 1969 23:59:59 GMT", "Thu, 32 Jan 1970 00:00:30 GMT", "1970-01-01T00:00:30Z"].map(
      (header) => [0.5, header, 100] as const,
    ),
  ] as const)("with random number %d and Retry-After %j is %d ms", ([draw, header, wait]) =>
    Effect.gen(function* () {
      for (const code of [429, 503]) {
        yield* TestClock.setTime(0)
        const server = fake((n) => (n === 1 ? status(code, header) : ok()))
        const service = yield* clientOf(server, { maxRetryAfter: "1 minutes" })
        const { at, error } = yield* outcome(get(service)).pipe(withRandom(draw))
        expect(times(server)).toEqual(wait === undefined ? [0] : [0, wait])
        expect(at).toBe(wait ?? 0)
        expect(error?.retryAfter === undefined).toBe(wait !== undefined)
      }
    }),
  )
})

describe("the retry budget", () => {
  it.effect.each<[string, number, number, () => FakeResponse, Retry.Retry]>([
    ["lost connections", 60, 7, () => lost, atOnce()],
    ["status 503", 60, 7, () => status(503), atOnce()],
    ["status 429", 60, 7, () => status(429), atOnce()],
    [
      "a schedule that takes time",
      3,
      1,
      () => status(503),
      Schedule.recurs(1).pipe(Schedule.modifyDelay(() => Effect.as(Effect.yieldNow, 0))),
    ],
  ])("limits the retries of all requests of a client: %s, %i requests", ([, requests, retryBudget, respond, retry]) =>
    Effect.gen(function* () {
      const server = fake(respond)
      const service = yield* clientOf(server, { retry, retryBudget })
      yield* drive(Effect.replicateEffect(Effect.flip(get(service)), requests, { concurrency: "unbounded" }))
      expect(server.requests).toHaveLength(requests + retryBudget)
    }),
  )

  const responses: ReadonlyArray<readonly [string, () => Response]> = [
    ["a success", ok],
    ["an error response", () => status(404)],
    ["a redirect that is not followed", () => new Response(null, { status: 302 })],
    ["a response that is too large", () => new Response("x".repeat(100))],
  ]

  it.effect.each(responses)("gains a tenth of a retry with %s, up to its initial value", ([, respond]) =>
    Effect.gen(function* () {
      const state = { up: false }
      const server = fake(() => (state.up ? respond() : lost))
      const service = yield* clientOf(server, { retry: atOnce(), retryBudget: 1, maxBodyBytes: 99 })
      /** Receives some responses. Returns how often the next request is sent. */
      const attemptsAfter = (responses: number) =>
        Effect.gen(function* () {
          state.up = true
          yield* drive(Effect.replicateEffect(Effect.result(get(service)), responses, { discard: true }))
          state.up = false
          const before = server.requests.length
          yield* drive(Effect.flip(get(service)))
          return server.requests.length - before
        })
      expect([yield* attemptsAfter(100), yield* attemptsAfter(9), yield* attemptsAfter(1)]).toEqual([2, 1, 2])
    }),
  )
})

describe("maybeApplied", () => {
  /** The error of an idempotent DELETE that gets these responses, the last one again and again. */
  const remove = (responses: ReadonlyArray<() => FakeResponse>) =>
    Effect.gen(function* () {
      const server = fake((n) => (responses[n - 1] ?? responses.at(-1) ?? ok)())
      const credential = Credential.bearer(Effect.succeed(Redacted.make("token")))
      const service = yield* clientOf(server, { credential, timeout: "1 seconds" })
      return (yield* send(service, HttpClientRequest.delete(thing), { idempotent: true })).error
    })
  const missing = () => status(404)
  const limited = () => status(429)
  const rejected = () => status(401)

  it.effect.each<[string, () => FakeResponse]>([
    ["lost its connection", () => lost],
    ["got status 500", () => status(500)],
    ["timed out", () => Effect.never],
  ])("is true if an attempt %s, whatever the last attempt got", ([, first]) =>
    Effect.gen(function* () {
      for (const script of [[first], [first, missing], [first, limited, missing]])
        expect(yield* remove(script)).toMatchObject({ maybeApplied: true })
    }),
  )

  it.effect("is false if every attempt was rejected", () =>
    Effect.gen(function* () {
      for (const script of [[missing], [limited, missing], [rejected, missing]])
        expect(yield* remove(script)).toMatchObject({ reason: { _tag: "NotFound" }, maybeApplied: false })
    }),
  )

  it.effect("of a failed connection is false only if the error shows that there was no connection", () =>
    Effect.gen(function* () {
      const unsent =
        "ECONNREFUSED EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN UND_ERR_CONNECT_TIMEOUT CERT_HAS_EXPIRED UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_HTTP_INVALID_HEADER_VALUE"
      const lost = "unknown ETIMEDOUT ECONNRESET EPIPE UND_ERR_SOCKET UND_ERR_HEADERS_TIMEOUT"
      const circle: { cause?: unknown } = {}
      circle.cause = circle
      for (const [code, cause] of [
        // Its own code may be a number.
        ...`${unsent} ${lost}`.split(" ").map((code) => [code, { code: 20, cause: { cause: { code } } }] as const),
        [undefined, circle],
      ] as const) {
        const server = fake(() => Effect.fail(cause))
        const { error } = yield* outcome(get(yield* clientOf(server, { retry: Retry.none })))
        expect(error).toMatchObject({ reason: { code }, maybeApplied: !unsent.split(" ").includes(code ?? "") })
      }
    }),
  )
})
