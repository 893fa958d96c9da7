import { describe, expect, it } from "@effect/vitest"
import {
  Credential,
  Decoder,
  type HttpError,
  type RequestError,
  RetryPolicy,
  type ServiceClient,
  type ServiceError,
  type SettingsError,
} from "@vigil/core-http"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { expectTypeOf } from "vitest"
import { type FakeResponse, clientOf, endless, fake, lost, ok, outcome, printed } from "./fake.js"

/** A secret, long enough to find parts of it. */
const canary = "canary-7d1f-29ac-55e0-b83b"

const operation = "Thing.get"

const Thing = Schema.Struct({ ok: Schema.Boolean })

describe("the unions of errors", () => {
  it("contain exactly the error classes of all modules", () => {
    type Classes<Module> = {
      [Name in keyof Module]: Module[Name] extends abstract new (...args: never) => { readonly _tag: string }
        ? InstanceType<Module[Name]>
        : never
    }[keyof Module]
    type Declared = Classes<typeof HttpError> | Classes<typeof ServiceError> | Classes<typeof SettingsError>
    expectTypeOf<Declared>().toEqualTypeOf<RequestError.RequestError | ServiceClient.MakeError>()
  })
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
    {
      status: code,
      headers: {
        "x-request-id": canary,
        "x-ms-request-id": canary,
        "set-cookie": canary,
        "x-other": canary,
        ...headers,
      },
    },
  )

interface Case {
  readonly respond?: () => FakeResponse
  readonly options?: Partial<ServiceClient.Options>
  readonly url?: string
  readonly decode?: Decoder.Decoder<unknown>
}

/** Causes of every error. Does not compile if an error is missing. */
const causes: { readonly [Tag in RequestError.RequestError["_tag"]]: Readonly<Record<string, Case>> } = {
  BodyTooLarge: {
    "a declared length": {
      respond: () => echo(200, { "content-length": "100000" }, "x".repeat(100_000)),
      options: { maxBodyBytes: 1_000 },
    },
    "an undeclared length": { respond: () => echo(200, {}, canary.repeat(1_000)), options: { maxBodyBytes: 1_000 } },
  },
  CredentialError: {
    "a vault that fails": { options: { credential: Credential.bearer(Effect.fail(new Error(canary))) } },
    "a vault that dies": { options: { credential: Credential.bearer(Effect.die(canary)) } },
    "an empty secret": { options: { credential: Credential.bearer(Redacted.make("")) } },
    "a line break": { options: { credential: Credential.bearer(Redacted.make(`${canary}\n`)) } },
    "an invalid header name": { options: { credential: Credential.header("a b", Redacted.make(canary)) } },
  },
  DecodeError: {
    HTML: { respond: () => echo(200, {}, `<html>${canary}`), decode: Decoder.fromSchema(Thing) },
    "an empty body": { respond: () => echo(200, {}, ""), decode: Decoder.fromSchema(Thing) },
    "another value": { respond: () => echo(200, {}, `{"ok":"${canary}"}`), decode: Decoder.fromSchema(Thing) },
  },
  Forbidden: { "403": { respond: () => echo(403) } },
  LinkRefused: {
    "another origin": { url: `https://evil.example/${canary}?a=${canary}` },
    "a user": { url: `https://${canary}:${canary}@service.example/` },
    "another scheme": { url: `javascript:${canary}` },
    "an invalid URL": { url: `http://[${canary}` },
  },
  NotFound: { "404": { respond: () => echo(404) } },
  RateLimited: { "429": { respond: () => echo(429, { "retry-after": "7" }) } },
  RedirectRefused: {
    "another origin": { respond: () => echo(302, { location: `https://evil.example/${canary}?a=${canary}` }) },
    malformed: { respond: () => echo(302, { location: `http://[${canary}` }) },
    "another scheme": { respond: () => echo(302, { location: `file:///${canary}` }) },
    "a user": { respond: () => echo(302, { location: `https://${canary}@service.example/` }) },
    "too many": { respond: () => echo(307, { location: `/thing?again=${canary}` }) },
  },
  ServiceError: {
    "500": { respond: () => echo(500) },
    "400": { respond: () => echo(400) },
    "204 for a GET": { respond: () => new Response(null, { status: 204 }) },
    "a `parseErrorBody` that repeats the JSON": {
      respond: () => echo(500),
      options: {
        parseErrorBody: (json) => ({ code: canary, message: JSON.stringify(json) }),
      },
    },
  },
  TimeoutError: {
    "an attempt": { respond: () => Effect.never, options: { timeout: "1 seconds" } },
    "a body": { respond: () => endless().response(), options: { timeout: "1 seconds" } },
    "all attempts": { respond: () => Effect.never, options: { totalTimeout: "1 seconds" } },
  },
  TransportError: {
    "a connection": { respond: () => lost },
    "a body": {
      respond: () =>
        new Response(new ReadableStream({ pull: (controller) => controller.error(new Error(`at ${canary}`)) })),
    },
  },
  Unauthorized: {
    "401": { respond: () => echo(401) },
    "401 again": {
      respond: () => echo(401),
      options: { credential: Credential.bearer(Effect.succeed(Redacted.make(canary))) },
    },
  },
}

/** The error of a case. */
const failure = ({ respond = ok, decode = Decoder.ignore, options, url }: Case) =>
  Effect.gen(function* () {
    const service = yield* clientOf(fake(respond), {
      credential: Credential.header("X-API-Token", Redacted.make(canary)),
      retry: RetryPolicy.none,
      ...options,
    })
    const requestUrl = url ?? service.url("/thing", { $skipToken: canary, secret: canary })
    const { error } = yield* outcome(service.get({ operation, url: requestUrl, decode }))
    return error
  })

const cases = Object.entries(causes).flatMap(([tag, causes]) =>
  Object.entries(causes).map(([cause, input]) => [tag, cause, input] as const),
)

describe("every error that a request can fail with", () => {
  it.effect.each(cases)("%s: %s. The message has the operation, the cause and what to do, and no secret", (row) =>
    Effect.gen(function* () {
      const [tag, , input] = row
      const error = yield* failure(input)
      expect(error).toBeInstanceOf(Error)
      expect(error).toMatchObject({ _tag: tag, name: tag, service: "thing", operation })
      const { message = "" } = error ?? {}
      expect(message).toMatch(/^Thing\.get: .{12,}?\. [A-Z].{5,}\.$/)
      expect(message).not.toMatch(/undefined|null|NaN|\[object|\.\./)
      expect(printed(error)).not.toContain(canary)
    }),
  )
})

describe("every error of `ServiceClient.make`", () => {
  const credential = Credential.bearer(Redacted.make(canary))
  const invalidOptions: {
    readonly [Tag in ServiceClient.MakeError["_tag"]]: Readonly<Record<string, Partial<ServiceClient.Options>>>
  } = {
    CredentialError: {
      "plain http": { baseUrl: "http://service.example" },
      "plain http to a gateway": { trustedOrigins: ["http://gateway.example"] },
    },
    InvalidBaseUrl: {
      "an invalid URL": { baseUrl: `//${canary}` },
      "another scheme": { baseUrl: `ftp://service.example/${canary}` },
      "a password": { baseUrl: `https://user:${canary}@service.example` },
      "a query": { baseUrl: `https://service.example?${canary}` },
      "a fragment": { baseUrl: `https://service.example#${canary}` },
      "a trusted origin with a path": { trustedOrigins: [`https://gateway.example/${canary}`] },
      "a trusted origin with a password": { trustedOrigins: [`https://user:${canary}@gateway.example`] },
    },
    InvalidSetting: {
      "a concurrency of 0": { concurrency: 0 },
      "a line break in a header": { userAgent: `agent\r\nx-evil: ${canary}` },
    },
  }
  const rows = Object.entries(invalidOptions).flatMap(([tag, causes]) =>
    Object.entries(causes).map(([cause, options]) => [tag, cause, options] as const),
  )

  it.effect.each(rows)("%s: %s, without the secret", ([tag, , options]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(clientOf(fake(ok), { credential, ...options }))
      expect(error._tag).toBe(tag)
      expect(error.message).toMatch(/^(The|A) .+(\. [A-Z]| must be ).+\.$/)
      expect(printed(error)).not.toContain(canary)
    }),
  )
})

describe("a service that repeats the credential", () => {
  /** All parts of the secret with 12 characters. */
  const parts = Array.from({ length: canary.length - 11 }, (_, n) => canary.slice(n, n + 12))

  const bodies: ReadonlyArray<readonly [string, unknown]> = [
    ["across the cut of the message", { code: "c", message: `${"x".repeat(490)}${canary}` }],
    ["just before the cut of the message", { code: "c", message: `${"x".repeat(475)}${canary}${"y".repeat(50)}` }],
    ["across the cut of the code", { code: `${"x".repeat(88)}${canary}`, message: "m" }],
    ["many times", { code: canary.repeat(9), message: canary.repeat(90) }],
    ["with its scheme", { message: `authorization: Bearer ${canary}` }],
    ["percent-encoded, in a link", { message: `see https://service.example/?token=${encodeURIComponent(canary)}` }],
    ["in parentheses", { error: { code: 401, message: `(${canary})` } }],
  ]

  it.effect.each(bodies)("%s is not quoted with any part of it", ([, body]) =>
    Effect.gen(function* () {
      const credentials = [
        Credential.bearer(Redacted.make(canary)),
        Credential.header("X-API-Token", Redacted.make(canary)),
        Credential.bearer(Effect.succeed(Redacted.make(canary))),
      ]
      for (const credential of credentials) {
        const error = yield* failure({ respond: () => echo(401, {}, JSON.stringify(body)), options: { credential } })
        const text = printed(error)
        expect(parts.filter((part) => text.includes(part))).toEqual([])
      }
    }),
  )

  it.effect("is not quoted with a token that it rejected before", () =>
    Effect.gen(function* () {
      const vault = { fetches: 0 }
      const secret = Effect.sync(() => Redacted.make(`${canary}-${++vault.fetches}`))
      const body = JSON.stringify({ message: `Refused: ${canary}-1 and ${canary}-2` })
      const error = yield* failure({
        respond: () => echo(401, { "x-request-id": "r-1", "x-ms-request-id": "r-1" }, body),
        options: { credential: Credential.bearer(secret) },
      })
      expect(vault.fetches).toBe(2)
      expect(printed(error)).not.toContain(canary)
    }),
  )
})
