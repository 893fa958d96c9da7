/** Every error and reason: its cause, its message, and that it contains no secret. */
import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder, Reason, RequestError, Retry, type ServiceClient, StatusReason } from "@vigil/core-http"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { expectTypeOf } from "vitest"
import { type FakeResponse, clientOf, fake, get, lost, ok, outcome, printed, status } from "./fake.js"

const canary = "canary-7d1f-29ac-55e0-b83b"

const origin = "https://service.example"

describe("the error of a request", () => {
  it("is only `RequestError`, whose reasons are the classes of both modules", () => {
    expectTypeOf<
      Effect.Error<ReturnType<ServiceClient.Service["request"]>>
    >().toEqualTypeOf<RequestError.RequestError>()
    type Classes<Module> = {
      [Name in keyof Module]: Module[Name] extends abstract new (...args: never) => { readonly _tag: string }
        ? InstanceType<Module[Name]>
        : never
    }[keyof Module]
    expectTypeOf<Classes<typeof Reason> | Classes<typeof StatusReason>>().toEqualTypeOf<RequestError.RequestReason>()
  })

  it.effect("is handled by its reason", () =>
    Effect.gen(function* () {
      const service = yield* clientOf(fake(() => status(404)))
      const found = Effect.catchReason(get(service), "RequestError", "NotFound", ({ status }) => Effect.succeed(status))
      expect(yield* found).toBe(404)
    }),
  )
})

/** A response that repeats the secret everywhere. */
const echo = (code: number, headers: Record<string, string> = {}, body?: string) =>
  new Response(
    body ??
      JSON.stringify({
        code: canary,
        message: `Bearer ${canary} was sent to /thing?$skipToken=${canary}`,
        error: { code: canary, message: `It was ${canary}` },
        [canary]: canary,
      }),
    { status: code, headers: { "x-request-id": canary, "x-ms-request-id": canary, "set-cookie": canary, ...headers } },
  )

interface Case {
  readonly respond?: () => FakeResponse
  readonly options?: Partial<ServiceClient.Options>
  readonly url?: string
  readonly decode?: Decoder.Decoder<unknown>
}

const decode = Decoder.fromSchema(Schema.Struct({ ok: Schema.Boolean }))
const redirectTo = (location: string) => ({ respond: () => echo(302, { location }) })
const withSecret = (secret: Credential.Secret) => ({ options: { credential: Credential.bearer(secret) } })

/** Causes of every reason. Does not compile if a reason is missing. */
const causes: { readonly [Tag in RequestError.RequestReason["_tag"]]: Readonly<Record<string, Case>> } = {
  BodyTooLarge: {
    "more bytes": { respond: () => echo(200, {}, canary.repeat(1_000)), options: { maxBodyBytes: 1_000 } },
  },
  Credential: {
    "a vault that dies": withSecret(Effect.die(canary)),
    "a line break": withSecret(Redacted.make(`${canary}\n`)),
  },
  Decode: {
    HTML: { respond: () => echo(200, {}, `<html>${canary}`), decode },
    "another value": { respond: () => echo(200, {}, `{"ok":"${canary}"}`), decode },
  },
  Forbidden: { "403": { respond: () => echo(403) } },
  Link: {
    "another origin": { url: `https://evil.example/${canary}?a=${canary}` },
    "another scheme": { url: `javascript:${canary}` },
    "an invalid URL": { url: `http://[${canary}` },
  },
  NotFound: { "404": { respond: () => echo(404) } },
  RateLimited: { "429": { respond: () => echo(429, { "retry-after": "7" }) } },
  Redirect: {
    "another origin": redirectTo(`https://evil.example/${canary}?a=${canary}`),
    malformed: redirectTo(`http://[${canary}`),
    "too many": redirectTo(`/thing?again=${canary}`),
    "hidden by a browser": { respond: () => Response.error() },
  },
  ServiceFailure: {
    "500": { respond: () => echo(500) },
    "204 for a GET": { respond: () => status(204) },
    "a `parseErrorBody` that repeats the JSON": {
      respond: () => echo(500),
      options: { parseErrorBody: (json) => ({ code: canary, message: JSON.stringify(json) }) },
    },
  },
  Timeout: {
    "an attempt": { respond: () => Effect.never, options: { timeout: "1 seconds" } },
    "all attempts": { respond: () => Effect.never, options: { totalTimeout: "1 seconds" } },
  },
  Transport: {
    "a connection": { respond: () => lost },
    "a body": {
      respond: () =>
        new Response(new ReadableStream({ pull: (controller) => controller.error(new Error(`at ${canary}`)) })),
    },
  },
  Unauthorized: {
    "401": { respond: () => echo(401) },
    "401 again": { respond: () => echo(401), ...withSecret(Effect.succeed(Redacted.make(canary))) },
  },
}

/** The error of a case. */
const failure = ({ respond = ok, decode = Decoder.ignore, options, url }: Case) =>
  Effect.gen(function* () {
    const service = yield* clientOf(fake(respond), {
      credential: Credential.header("X-API-Token", Redacted.make(canary)),
      retry: Retry.none,
      ...options,
    })
    const secret = service.url("/thing", { $skipToken: canary, secret: canary })
    return (yield* outcome(service.get({ operation: "Thing.get", url: url ?? secret, decode }))).error
  })

const cases = Object.entries(causes).flatMap(([tag, causes]) =>
  Object.entries(causes).map(([cause, input]) => [tag, cause, input] as const),
)

describe("every reason", () => {
  const json = Schema.fromJsonString(Schema.toCodecJson(RequestError.RequestError))

  it.effect.each(cases)("%s: %s. The message is readable, without a secret, and survives JSON", ([tag, , input]) =>
    Effect.gen(function* () {
      const error = yield* failure(input)
      expect(error).toMatchObject({ _tag: "RequestError", service: "thing", operation: "Thing.get" })
      if (error === undefined) return
      const { maybeApplied, message, reason, retryable, retryAfter } = error
      expect(reason._tag).toBe(tag)
      expect(message).toMatch(/^Thing\.get: the thing service .{12,}?\. [A-Z].{5,}\.$/)
      expect(message).not.toMatch(/undefined|null|NaN|\[object|\.\./)
      expect(printed(error)).not.toContain(canary)
      const text = yield* Schema.encodeEffect(json)(error)
      expect(text).not.toContain(canary)
      const decoded = yield* Schema.decodeEffect(json)(text)
      expect(decoded).toBeInstanceOf(RequestError.RequestError)
      expect(decoded.reason).toBeInstanceOf(reason.constructor)
      expect(decoded).toMatchObject({ maybeApplied, message, retryable, retryAfter })
    }),
  )
})

const noResponse = `at ${origin} sent no complete response`
const network = "Check the URL and the network."
const target = "https://evil.example"
const transport = (code?: string) => new Reason.Transport({ origin, code })
const respond = (status: number, more: object = {}) => StatusReason.fromResponse({ status, ...more })
const credential = (problem: "empty" | "unavailable" | "timeout", cause?: Error) =>
  new Reason.Credential({ problem, isTemporary: problem === "timeout", cause })
const total = { scope: "total", limit: Duration.seconds(5), previousError: "a." } as const

/** The reason, its message, and whether it is retryable. */
const messages: ReadonlyArray<readonly [RequestError.RequestReason, string, boolean]> = [
  [transport(), `${noResponse}: the connection failed. ${network}`, true],
  [transport("ECONNREFUSED"), `${noResponse}: the connection was refused (ECONNREFUSED). ${network}`, true],
  [transport("ECONNRESET"), `${noResponse}: the connection was reset (ECONNRESET). ${network}`, true],
  [transport("ENOTFOUND"), `${noResponse}: the host is unknown (ENOTFOUND). ${network}`, true],
  [transport("CERT_HAS_EXPIRED"), `${noResponse}: its certificate is invalid (CERT_HAS_EXPIRED). ${network}`, true],
  [transport("ERR_INVALID_CHAR"), `${noResponse}: ERR_INVALID_CHAR. ${network}`, false],
  [
    new Reason.Timeout({ origin, ...total }),
    `${noResponse} within 5s in total. Try again or allow more time. Before that: a.`,
    true,
  ],
  [
    new Reason.BodyTooLarge({ limit: 9 }),
    "sent a response above the limit of 9 bytes. Check the URL and the option maxBodyBytes.",
    false,
  ],
  [
    new Reason.Decode({ path: "a.b", problem: "is missing" }),
    "sent an invalid response: a.b is missing. Check the URL.",
    false,
  ],
  [
    new Reason.Redirect({ problem: "origin", origin, target }),
    `at ${origin} sent a redirect that leads to another origin (${target}). If the service has moved, set its new URL.`,
    false,
  ],
  [
    new Reason.Link({ problem: "origin", origin, target }),
    `sent a link that leads to another origin: ${target} instead of ${origin}. Report it to the service.`,
    false,
  ],
  [credential("empty"), "got no request: the credential is empty. Set it.", false],
  [credential("timeout"), "got no request: the credential was not fetched in time. Check where it is stored.", true],
  [
    credential("unavailable", new Error("No key. Sign in.")),
    "got no request: the credential could not be fetched: No key. Sign in.",
    false,
  ],
  [respond(401), "responded 401. The token is missing, invalid or expired: sign in again or set another token.", false],
  [
    respond(401, { credentialSource: "a vault" }),
    "responded 401. The token is from a vault: check its account, its scope and the base URL.",
    false,
  ],
  [respond(403, { code: "403" }), "responded 403. Ask for the permission, or use a token that has it.", false],
  [
    respond(404, { code: "NoThing", detail: "It is gone.", requestId: "r-1" }),
    "responded 404 NoThing: It is gone. Check the ID and the base URL. Request ID: r-1.",
    false,
  ],
  [respond(429, { retryAfter: Duration.seconds(7) }), "responded 429. Try again in 7s.", true],
  [respond(429, { retryAfter: Duration.zero }), "responded 429. Try again later.", true],
  [respond(429, { retryAfter: Duration.seconds(1e30) }), "responded 429. Try again in over a year.", true],
  [respond(204), "responded 204. Unexpected success status: check the effect of the request.", false],
  [respond(400), "responded 400. Check the request.", false],
  [respond(500), "responded 500. Try again later.", true],
]

const withReason = (reason: RequestError.RequestReason) =>
  new RequestError.RequestError({ service: "thing", operation: "Thing.get", reason, maybeApplied: false })

describe("a request error", () => {
  it.each(messages)("has the message of its reason, and is retryable or not: %#", (reason, message, retryable) => {
    const error = withReason(reason)
    expect([error.message, error.retryable]).toEqual([`Thing.get: the thing service ${message}`, retryable])
  })

  it("is retryable for the status codes of temporary failures", () => {
    const statuses = Array.from({ length: 500 }, (_, n) => n + 100)
    const retried = statuses.filter((status) => withReason(respond(status)).retryable)
    expect(retried).toEqual([408, 429, 500, 502, 503, 504])
  })
})

describe("an error of `ServiceClient.make`", () => {
  const setting = (name: string, expected: string) => `The option ${name} must be ${expected}.`
  const url = (problem: string) => `${problem}. Pass a URL such as https://service.example.`
  const exposed = "would send the credential over plain HTTP to another machine"

  it.effect.each<[Partial<ServiceClient.Options>, string]>([
    [{ baseUrl: "http://service.example" }, url(`The base URL ${exposed}`)],
    [{ trustedOrigins: ["http://gateway.example"] }, url(`A trusted origin ${exposed}`)],
    [{ trustedOrigins: [`https://gateway.example/${canary}`] }, url("A trusted origin has a path")],
    [{ baseUrl: `//${canary}` }, url("The base URL is not a valid URL")],
    [{ baseUrl: `ftp://service.example/${canary}` }, url("The base URL is not http or https")],
    [{ baseUrl: `https://a:${canary}@a.example` }, url("The base URL contains a user name or a password")],
    [{ baseUrl: `https://a.example?${canary}` }, url("The base URL has a query or a fragment")],
    [{ concurrency: 0 }, setting("concurrency", "1 or more")],
    [{ maxBodyBytes: Number.NaN }, setting("maxBodyBytes", "0 or more")],
    [{ rateLimit: { requests: 0, per: "1 second" } }, setting("rateLimit.requests", "1 or more")],
    [{ rateLimit: { requests: 1, per: Duration.infinity } }, setting("rateLimit.per", "a duration above 0")],
    [{ retryBudget: -1 }, setting("retryBudget", "0 or more")],
    [{ timeout: 0 }, setting("timeout", "a duration above 0")],
    [{ totalTimeout: 0 }, setting("totalTimeout", "a duration above 0")],
    [{ userAgent: `agent\r\nx-evil: ${canary}` }, setting("userAgent", "valid header text")],
  ])("is readable, without a secret: %j", ([options, message]) =>
    Effect.gen(function* () {
      const credential = Credential.bearer(Redacted.make(canary))
      const error = yield* Effect.flip(clientOf(fake(ok), { credential, ...options }))
      expectTypeOf(error._tag).toEqualTypeOf<"InvalidBaseUrl" | "InvalidSetting">()
      expect(error.message).toBe(message)
      expect(printed(error)).not.toContain(canary)
    }),
  )

  it.effect("does not occur for the smallest and the largest valid values", () => {
    const smallest = { concurrency: 1, maxBodyBytes: 0, retryBudget: 0, timeout: 1, userAgent: "a" }
    return clientOf(fake(ok), { ...smallest, rateLimit: { requests: 1, per: 1 }, totalTimeout: Duration.infinity })
  })
})

it.effect("an error does not contain a token that the service rejected before", () =>
  Effect.gen(function* () {
    let fetches = 0
    const secret = Effect.sync(() => Redacted.make(`${canary}-${++fetches}`))
    const respond = () => echo(401, {}, JSON.stringify({ message: `Refused: ${canary}-1 and ${canary}-2` }))
    const error = yield* failure({ respond, ...withSecret(secret) })
    expect(fetches).toBe(2)
    expect(printed(error)).not.toContain(canary)
  }),
)
