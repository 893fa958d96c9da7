/** Every error: its causes, its message, and that it contains no secret. */
import { describe, expect, it } from "@effect/vitest"
import {
  Credential,
  Decoder,
  type Reason,
  RequestError,
  Retry,
  type ServiceClient,
  StatusReason,
} from "@vigil/core-http"
import * as ByteSize from "effect/ByteSize"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { expectTypeOf } from "vitest"
import { type FakeResponse, clientOf, fake, get, lost, ok, outcome, printed, status } from "./fake.js"

const canary = "canary-7d1f-29ac-55e0-b83b"

it.effect("a request fails only with `RequestError`, which is handled by its reason", () =>
  Effect.gen(function* () {
    expectTypeOf<Effect.Error<ReturnType<ServiceClient.Service["send"]>>>().toEqualTypeOf<RequestError.RequestError>()
    type Classes<Module> = {
      [Name in keyof Module]: Module[Name] extends abstract new (...args: never) => { readonly _tag: string }
        ? InstanceType<Module[Name]>
        : never
    }[keyof Module]
    expectTypeOf<Classes<typeof Reason> | Classes<typeof StatusReason>>().toEqualTypeOf<RequestError.RequestReason>()
    const service = yield* clientOf(fake(() => status(404)))
    const found = Effect.catchReason(get(service), "RequestError", "NotFound", ({ status }) => Effect.succeed(status))
    expect(yield* found).toBe(404)
  }),
)

/** A response that repeats the secret everywhere. */
const echo = (code: number, headers: Record<string, string> = {}, body?: string) =>
  new Response(body ?? JSON.stringify({ [canary]: canary, error: { code: canary, message: `It was ${canary}...` } }), {
    status: code,
    headers: { "x-request-id": canary, "set-cookie": canary, ...headers },
  })

interface Case {
  readonly respond?: () => FakeResponse
  readonly options?: Partial<ServiceClient.Options>
  readonly url?: string
  readonly decode?: Decoder.Decoder<unknown>
  readonly isRetryable?: true
}

const decode = Decoder.fromSchema(Schema.Struct({ ok: Schema.Boolean }))
const redirectTo = (location: string) => ({ respond: () => echo(302, { location }) })
const withSecret = (secret: Credential.Secret, source?: string) => ({
  options: { credential: Credential.bearer(secret, { source }) },
})
const json = (code: number, body: object, headers = {}) => ({
  respond: () => Response.json(body, { status: code, headers }),
})
const failing = (code: string): Case => ({ respond: () => Effect.fail({ code }), isRetryable: true })

const origin = "https://service.example"
const echoed = `<redacted>: It was <redacted>`
const noResponse = `at ${origin} sent no complete response`
const check = "Check the URL and the network."
const moved = "If the service has moved, set its new URL."
const url = "Check the URL."

/** Causes of every reason by their messages. Does not compile if a reason is missing. */
const causes: { readonly [Tag in RequestError.RequestReason["_tag"]]: Readonly<Record<string, Case>> } = {
  BodyTooLarge: {
    "sent a response above the limit of 1000 bytes. Check the URL and the option maxBodyBytes.": {
      respond: () => echo(200, {}, canary.repeat(1_000)),
      options: { maxBodyBytes: 1_000 },
    },
  },
  Credential: {
    "got no request: the credential could not be fetched: Error. Sign in again, or check where it is stored.":
      withSecret(Effect.die(new Error(canary))),
    "got no request: the credential contains a character that a header cannot carry. Check how it was stored.":
      withSecret(Effect.succeed(Redacted.make(`${canary}\n`))),
    "got no request: the credential is empty. Set it.": withSecret(Effect.succeed(Redacted.make(""))),
    "got no request: the credential was not fetched in time. Check where it is stored.": {
      ...withSecret(Effect.never),
      isRetryable: true,
    },
    "got no request: the credential could not be fetched: No key. Sign in.": {
      options: { credential: Credential.fromToken(Effect.fail(new Error("No key. Sign in."))) },
    },
  },
  Decode: {
    [`sent an invalid response: the body is not JSON. ${url}`]: {
      respond: () => echo(200, {}, `<p>${canary}`),
      decode,
    },
    [`sent an invalid response: the body is empty. ${url}`]: { respond: () => status(200), decode },
    [`sent an invalid response: ok does not match boolean. ${url}`]: { ...json(200, { ok: canary }), decode },
    "sent a success status with the error <redacted>: It was <redacted>. Try again later.": {
      respond: () => echo(200),
      decode,
    },
  },
  Forbidden: {
    [`responded 403 ${echoed}. Ask for the permission, or use a token that has it. Request ID: <redacted>.`]: {
      respond: () => echo(403),
    },
    // The code repeats the status.
    "responded 403. Ask for the permission, or use a token that has it.": json(403, { code: "403" }),
  },
  Link: {
    [`got no request: the URL leads to another origin: https://evil.example instead of ${origin}. ${url}`]: {
      url: `https://evil.example/${canary}?a=${canary}`,
    },
    [`got no request: the URL is not http or https. ${url}`]: { url: `javascript:${canary}` },
    [`got no request: the URL is invalid. ${url}`]: { url: `http://[${canary}` },
    [`got no request: the URL is invalid: a path must begin with \`/\`, without dot segments. ${url}`]: {
      url: `\\${canary}`,
    },
  },
  NotFound: {
    "responded 404 NoThing: It is gone. Check the ID and the base URL. Request ID: r-1.": json(
      404,
      { code: "NoThing", message: "It is gone." },
      { "x-request-id": "r-1" },
    ),
  },
  RateLimited: {
    "responded 429. Try again in 7s.": { ...json(429, {}, { "retry-after": "7" }), isRetryable: true },
    "responded 429. Try again in over a year.": {
      ...json(429, {}, { "retry-after": "9".repeat(30) }),
      isRetryable: true,
    },
    "responded 429. Try again later.": { ...json(429, {}, { "retry-after": "0" }), isRetryable: true },
  },
  Redirect: {
    [`at ${origin} sent a redirect that leads to another origin (https://evil.example). ${moved}`]: redirectTo(
      `https://evil.example/${canary}?a=${canary}`,
    ),
    [`at ${origin} sent a redirect that is invalid. ${moved}`]: redirectTo(`http://[${canary}`),
    [`at ${origin} sent a redirect that exceeds the redirect limit. ${moved}`]: redirectTo(`/thing?again=${canary}`),
    [`at ${origin} sent a redirect that the browser does not disclose. ${moved}`]: { respond: () => Response.error() },
  },
  ServiceFailure: {
    "responded 500. Try again later.": { ...json(500, {}), isRetryable: true },
    "responded 400. Check the request.": json(400, {}),
    "responded 408. Try again later.": { ...json(408, {}), isRetryable: true },
    "responded 202. The call does not accept this status: check what the request changed.": json(202, {}),
    "responded 204. The response has no content: check the URL.": { respond: () => status(204) },
    // It repeats the JSON.
    "responded 501 <redacted>: <redacted>. Try again later.": {
      ...json(501, { [canary]: canary }),
      options: { parseErrorBody: (json) => ({ code: canary, message: btoa(JSON.stringify(json)) }) },
    },
  },
  Timeout: {
    [`${noResponse} within 1s. Try again or allow more time.`]: {
      respond: () => Effect.never,
      options: { timeout: "1 seconds" },
      isRetryable: true,
    },
    [`${noResponse} within 1s in total. Try again or allow more time.`]: {
      respond: () => Effect.never,
      options: { totalTimeout: "1 seconds" },
      isRetryable: true,
    },
  },
  Transport: {
    [`${noResponse}: the connection failed. ${check}`]: { respond: () => lost, isRetryable: true },
    [`${noResponse}: the connection was refused (ECONNREFUSED). ${check}`]: failing("ECONNREFUSED"),
    [`${noResponse}: the connection was reset (ECONNRESET). ${check}`]: failing("ECONNRESET"),
    [`${noResponse}: the host is unknown (ENOTFOUND). ${check}`]: failing("ENOTFOUND"),
    [`${noResponse}: its certificate is invalid (CERT_HAS_EXPIRED). ${check}`]: failing("CERT_HAS_EXPIRED"),
    [`${noResponse}: EPIPE. ${check}`]: failing("EPIPE"),
    [`${noResponse}: the request is invalid (ERR_INVALID_CHAR). ${check}`]: {
      respond: () => Effect.fail({ code: "ERR_INVALID_CHAR" }),
    },
  },
  Unauthorized: {
    "responded 401. The token is missing, invalid or expired: sign in again or set another token.": json(401, {}),
    "responded 401. The token is from a vault: check its account, its scope and the base URL.": {
      ...json(401, {}),
      ...withSecret(Effect.succeed(Redacted.make(canary)), "a vault"),
    },
  },
}

/** The error of a case. */
const failure = ({ respond = ok, decode = () => Effect.void, options, url }: Case) =>
  Effect.gen(function* () {
    const credential = Credential.header("X-API-Token", Redacted.make(canary))
    const service = yield* clientOf(fake(respond), { credential, retry: Retry.none, ...options })
    const secret = service.url("/thing", { $skipToken: canary, secret: canary })
    const { error } = yield* outcome(service.get({ operation: "Thing.get", url: url ?? secret, decode }))
    return error ?? (yield* Effect.die("The request succeeded."))
  })

describe("a request error", () => {
  const json = Schema.fromJsonString(Schema.toCodecJson(RequestError.RequestError))
  const cases = Object.entries(causes).flatMap(([tag, causes]) =>
    Object.entries(causes).map(([message, input]) => [tag, message, input] as const),
  )

  it.effect.each(cases)("%s: %s", ([tag, expected, { isRetryable = false, ...input }]) =>
    Effect.gen(function* () {
      const error = yield* failure(input)
      const { maybeApplied, message, reason, retryAfter } = error
      expect(reason._tag).toBe(tag)
      expect(message).toBe(`Thing.get: the thing service ${expected}`)
      expect(error.isRetryable).toBe(isRetryable)
      expect(printed(error)).not.toContain(canary)
      const text = yield* Schema.encodeEffect(json)(error)
      expect(text).not.toContain(canary)
      const decoded = yield* Schema.decodeEffect(json)(text)
      expect(decoded.reason).toBeInstanceOf(reason.constructor)
      expect(decoded).toMatchObject({ _tag: "RequestError", maybeApplied, message, isRetryable, retryAfter })
    }),
  )

  it("an error response is retryable for the status codes of temporary failures", () => {
    const reasons = Array.from({ length: 500 }, (_, n) => StatusReason.fromResponse({ status: n + 100 }))
    const retried = reasons.filter(({ isRetryable }) => isRetryable).map(({ status }) => status)
    expect(retried).toEqual([408, 429, 500, 502, 503, 504])
  })

  it.effect("does not contain a token that the service rejected before", () =>
    Effect.gen(function* () {
      let fetches = 0
      const secret = Effect.sync(() => Redacted.make(`${canary}-${++fetches}`))
      const respond = () => echo(401, {}, JSON.stringify({ message: `Refused: ${canary}-1 and ${canary}-2` }))
      const error = yield* failure({ respond, ...withSecret(secret) })
      expect(fetches).toBe(2)
      expect(printed(error)).not.toContain(canary)
    }),
  )
})

describe("an invalid option", () => {
  const url = "a URL such as https://service.example, without a user name, a password, a query and a fragment"
  // Types do not check the settings of a file.
  const soon = "soon" as Duration.Input
  const encrypted = "an https URL, because plain HTTP exposes the credential"
  const carried = "a text that a header can carry, in a header with a valid name"

  it.effect.each<[string, Partial<ServiceClient.Options>]>([
    [`baseUrl must be ${encrypted}`, { baseUrl: "http://service.example" }],
    [`trustedOrigins must be ${encrypted}`, { trustedOrigins: ["http://gateway.example"] }],
    ["trustedOrigins must be URLs without a path", { trustedOrigins: [`https://gateway.example/${canary}`] }],
    ...[`//${canary}`, `ftp://a.example/${canary}`, `https://a:${canary}@a.example`, `https://a.example?${canary}`].map(
      (baseUrl): [string, Partial<ServiceClient.Options>] => [`baseUrl must be ${url}`, { baseUrl }],
    ),
    ...[Credential.bearer(Redacted.make(`${canary}\n`)), Credential.bearer(Redacted.make(""))].map(
      (credential): [string, Partial<ServiceClient.Options>] => [`credential must be ${carried}`, { credential }],
    ),
    [
      `credential must be ${carried}`,
      { credential: Credential.header("no name", Effect.succeed(Redacted.make(canary))) },
    ],
    ["concurrency must be 1 or more", { concurrency: 0 }],
    ["maxBodyBytes must be 0 or more", { maxBodyBytes: Number.NaN }],
    ["rateLimit.requests must be 1 or more", { rateLimit: { requests: 0, per: "1 second" } }],
    ["rateLimit.per must be a finite duration above 0", { rateLimit: { requests: 1, per: Duration.infinity } }],
    ["retryBudget must be 0 or more", { retryBudget: -1 }],
    ["timeout must be a duration above 0", { timeout: 0 }],
    ["totalTimeout must be a duration above 0", { totalTimeout: NaN }],
    ["totalTimeout must be a duration above 0", { totalTimeout: soon }],
    ["maxRetryAfter must be a duration", { maxRetryAfter: NaN }],
  ])("fails with InvalidSetting, without a secret: %s", ([message, options]) =>
    Effect.gen(function* () {
      const credential = Credential.bearer(Redacted.make(canary))
      const error = yield* Effect.flip(clientOf(fake(ok), { credential, ...options }))
      expect(error).toMatchObject({ _tag: "InvalidSetting", message: `The option ${message}.`, isRetryable: false })
      expect(printed(error)).not.toContain(canary)
    }),
  )

  it.effect("is not one of the smallest and the largest valid values", () => {
    const smallest = { concurrency: 1, maxBodyBytes: 0, retryBudget: 0, timeout: 1 }
    const largest = {
      concurrency: "unbounded",
      maxBodyBytes: ByteSize.tebibytes(1),
      totalTimeout: Duration.infinity,
    } as const
    return Effect.all([
      clientOf(fake(ok), { ...smallest, rateLimit: { requests: 1, per: 1 }, maxRetryAfter: 0 }),
      clientOf(fake(ok), largest),
    ])
  })
})
