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
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Match from "effect/Match"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { expectTypeOf } from "vitest"
import { type Answer, clientOf, endless, fake, lost, ok, outcome, printed } from "./fake.js"

/** What must not be seen: long, so that a part of it is told from chance. */
const canary = "canary-7d1f-29ac-55e0-b83b"

const operation = "Thing.get"

const Thing = Schema.Struct({ ok: Schema.Boolean })

/** Every tag of a request's failure, matched to its end: one more, and this does not compile. */
const requestTag = Match.type<RequestError.RequestError>().pipe(
  Match.tags({
    BodyTooLarge: () => "BodyTooLarge" as const,
    CredentialError: () => "CredentialError" as const,
    DecodeError: () => "DecodeError" as const,
    Forbidden: () => "Forbidden" as const,
    LengthRequired: () => "LengthRequired" as const,
    LinkRefused: () => "LinkRefused" as const,
    NotFound: () => "NotFound" as const,
    RateLimited: () => "RateLimited" as const,
    RedirectRefused: () => "RedirectRefused" as const,
    ServiceError: () => "ServiceError" as const,
    TimeoutError: () => "TimeoutError" as const,
    TransportError: () => "TransportError" as const,
    Unauthorized: () => "Unauthorized" as const,
  }),
  Match.exhaustive,
)

const makeTag = (error: ServiceClient.MakeError) =>
  Match.valueTags(error, {
    CredentialError: () => "CredentialError" as const,
    InvalidBaseUrl: () => "InvalidBaseUrl" as const,
    InvalidSetting: () => "InvalidSetting" as const,
  })

describe("the unions of errors", () => {
  it("are closed: a match of every tag is complete", () => {
    expectTypeOf<ReturnType<typeof requestTag>>().toEqualTypeOf<RequestError.RequestError["_tag"]>()
    expectTypeOf<ReturnType<typeof makeTag>>().toEqualTypeOf<ServiceClient.MakeError["_tag"]>()
  })

  it("stop a match from compiling when an error is added", () => {
    interface Added {
      readonly _tag: "Added"
    }
    Match.type<ServiceClient.MakeError | Added>().pipe(
      Match.tags({ CredentialError: () => 1, InvalidBaseUrl: () => 2 }),
      // @ts-expect-error `Added` is not matched.
      Match.exhaustive,
    )
    // @ts-expect-error `Added` is not matched.
    expect(() => makeTag({ _tag: "Added" } satisfies Added)).toThrow()
    // @ts-expect-error `Added` is not matched.
    expect(() => requestTag({ _tag: "Added" } satisfies Added)).toThrow()
  })

  it("hold what every module declares, and nothing else", () => {
    type Classes<Module> = {
      [Name in keyof Module]: Module[Name] extends abstract new (...args: never) => { readonly _tag: string }
        ? InstanceType<Module[Name]>
        : never
    }[keyof Module]
    type Declared = Classes<typeof HttpError> | Classes<typeof ServiceError> | Classes<typeof SettingsError>
    expectTypeOf<Declared>().toEqualTypeOf<RequestError.RequestError | ServiceClient.MakeError>()
  })

  it("are finished by catchTags", () => {
    const { http } = fake(ok)
    const caught = Effect.gen(function* () {
      const service = yield* clientOf({ asked: [], http, load: { most: 0, open: 0 } })
      return service.get({ operation, url: "/", decode: Decoder.nothing }).pipe(
        Effect.catchTags({
          BodyTooLarge: () => Effect.void,
          CredentialError: () => Effect.void,
          DecodeError: () => Effect.void,
          Forbidden: () => Effect.void,
          LengthRequired: () => Effect.void,
          LinkRefused: () => Effect.void,
          NotFound: () => Effect.void,
          RateLimited: () => Effect.void,
          RedirectRefused: () => Effect.void,
          ServiceError: () => Effect.void,
          TimeoutError: () => Effect.void,
          TransportError: () => Effect.void,
          Unauthorized: () => Effect.void,
        }),
      )
    })
    expectTypeOf<Effect.Effect.Error<Effect.Effect.Success<typeof caught>>>().toEqualTypeOf<never>()
    expect(Effect.isEffect(caught)).toBe(true)
  })
})

/** An answer that repeats what it must not, wherever it can. */
const says = (code: number, headers: Record<string, string> = {}, body?: string) =>
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
  readonly answer?: () => Answer
  readonly options?: Partial<ServiceClient.Options>
  readonly url?: string
  readonly decode?: Decoder.Decoder<unknown>
}

/** How every error comes about. Complete, or it does not compile. */
const ways: { readonly [Tag in RequestError.RequestError["_tag"]]: Readonly<Record<string, Case>> } = {
  BodyTooLarge: {
    "a declared length": {
      answer: () => says(200, { "content-length": "100000" }, "x".repeat(100_000)),
      options: { maxBodyBytes: 1_000 },
    },
    "a length that shows": { answer: () => says(200, {}, canary.repeat(1_000)), options: { maxBodyBytes: 1_000 } },
  },
  CredentialError: {
    "a vault that fails": { options: { credential: Credential.bearer(Effect.fail(new Error(canary))) } },
    "a vault that dies": { options: { credential: Credential.bearer(Effect.die(canary)) } },
    "an empty secret": { options: { credential: Credential.bearer(Redacted.make("")) } },
    "a line break": { options: { credential: Credential.bearer(Redacted.make(`${canary}\n`)) } },
    "a header's name": { options: { credential: Credential.header("a b", Redacted.make(canary)) } },
  },
  DecodeError: {
    HTML: { answer: () => says(200, {}, `<html>${canary}`), decode: Decoder.fromSchema(Thing) },
    nothing: { answer: () => says(200, {}, ""), decode: Decoder.fromSchema(Thing) },
    "another value": { answer: () => says(200, {}, `{"ok":"${canary}"}`), decode: Decoder.fromSchema(Thing) },
    "a refinement": {
      answer: () => says(200, {}, `{"at":"${canary}"}`),
      decode: Decoder.fromSchema(Schema.Struct({ at: Schema.Date.pipe(Schema.validDate()) })),
    },
    "a transformation that tells": {
      answer: () => says(200, {}, `{"n":"${canary}"}`),
      decode: Decoder.fromSchema(Schema.Struct({ n: Schema.NumberFromString })),
    },
  },
  Forbidden: { "403": { answer: () => says(403) } },
  LengthRequired: { "411": { answer: () => says(411) } },
  LinkRefused: {
    "another origin": { url: `https://evil.example/${canary}?a=${canary}` },
    "a user": { url: `https://${canary}:${canary}@service.example/` },
    "another scheme": { url: `javascript:${canary}` },
    "no address": { url: `http://[${canary}` },
  },
  NotFound: { "404": { answer: () => says(404) } },
  RateLimited: { "429": { answer: () => says(429, { "retry-after": "7" }) } },
  RedirectRefused: {
    "another origin": { answer: () => says(302, { location: `https://evil.example/${canary}?a=${canary}` }) },
    malformed: { answer: () => says(302, { location: `http://[${canary}` }) },
    "another scheme": { answer: () => says(302, { location: `file:///${canary}` }) },
    "a user": { answer: () => says(302, { location: `https://${canary}@service.example/` }) },
    "no end": { answer: () => says(307, { location: `/thing?again=${canary}` }) },
  },
  ServiceError: {
    "500": { answer: () => says(500) },
    "400": { answer: () => says(400) },
    "204 where a body is due": { answer: () => new Response(null, { status: 204 }) },
    "an error body that repeats all of the JSON": {
      answer: () => says(500),
      options: {
        errorBody: (json) => ({ code: canary, message: JSON.stringify(json) }),
      },
    },
  },
  TimeoutError: {
    "an attempt": { answer: () => Effect.never, options: { timeout: "1 seconds" } },
    "a body": { answer: () => endless().response(), options: { timeout: "1 seconds" } },
    "all attempts": { answer: () => Effect.never, options: { totalTimeout: "1 seconds" } },
  },
  TransportError: {
    "a connection": { answer: () => lost },
    "a body": {
      answer: () =>
        new Response(new ReadableStream({ pull: (controller) => controller.error(new Error(`at ${canary}`)) })),
    },
  },
  Unauthorized: {
    "401": { answer: () => says(401) },
    "401 again": {
      answer: () => says(401),
      options: { credential: Credential.bearer(Effect.succeed(Redacted.make(canary))) },
    },
  },
}

/** What comes of a case, through the public interface alone. */
const failure = ({ answer = ok, decode = Decoder.nothing, options, url }: Case) =>
  Effect.gen(function* () {
    const service = yield* clientOf(fake(answer), {
      credential: Credential.header("X-API-Token", Redacted.make(canary)),
      retry: RetryPolicy.none,
      ...options,
    })
    const address = url ?? service.url("/thing", { $skipToken: canary, secret: canary })
    const { error } = yield* outcome(service.get({ operation, url: address, decode }))
    return error
  })

const cases = Object.entries(ways).flatMap(([tag, ways]) =>
  Object.entries(ways).map(([way, which]) => [tag, way, which] as const),
)

describe("every error that a request can fail with", () => {
  it.scoped("comes about", () =>
    Effect.gen(function* () {
      const seen = new Set<string>()
      for (const [, , which] of cases) {
        const error = yield* failure(which)
        if (error !== undefined) seen.add(requestTag(error))
      }
      expect([...seen].toSorted()).toEqual(Object.keys(ways).toSorted())
    }),
  )

  it.scoped.each(cases)("%s: %s", ([tag, , which]) =>
    Effect.gen(function* () {
      const error = yield* failure(which)
      expect(error?._tag).toBe(tag)
      expect(error).toBeInstanceOf(Error)
      expect(error).toMatchObject({ name: tag, service: "thing", operation })
      expect(typeof error?.retryable).toBe("boolean")
    }),
  )

  it.scoped.each(cases)("%s (%s) says what was tried, what happened, and what to do", ([, , which]) =>
    Effect.gen(function* () {
      const { message = "" } = (yield* failure(which)) ?? {}
      expect(message).toMatch(/^Thing\.get: /)
      const [happened = "", ...todo] = message.split(/(?<=\.) /)
      expect(happened.length).toBeGreaterThan(operation.length + 12)
      expect(todo.join(" ")).toMatch(/^[A-Z].{5,}\.$/)
      expect(message).not.toMatch(/undefined|null|NaN|\[object|\.\./)
    }),
  )

  it.scoped.each(cases)("%s (%s) shows no secret, however it is printed", ([, , which]) =>
    Effect.gen(function* () {
      const error = yield* failure(which)
      expect(error).toBeDefined()
      expect(printed(error)).not.toContain(canary)
    }),
  )
})

describe("every error that a client can't be made with", () => {
  const credential = Credential.bearer(Redacted.make(canary))
  const makings: {
    readonly [Tag in ServiceClient.MakeError["_tag"]]: Readonly<Record<string, Partial<ServiceClient.Options>>>
  } = {
    CredentialError: {
      "plain http": { baseUrl: "http://service.example" },
      "plain http to a gateway": { trustedOrigins: ["http://gateway.example"] },
    },
    InvalidBaseUrl: {
      "no address": { baseUrl: `//${canary}` },
      "another scheme": { baseUrl: `ftp://service.example/${canary}` },
      "a password": { baseUrl: `https://user:${canary}@service.example` },
      "a query": { baseUrl: `https://service.example?${canary}` },
      "a fragment": { baseUrl: `https://service.example#${canary}` },
      "a trusted origin with a path": { trustedOrigins: [`https://gateway.example/${canary}`] },
      "a trusted origin with a password": { trustedOrigins: [`https://user:${canary}@gateway.example`] },
    },
    InvalidSetting: {
      "no concurrency": { concurrency: 0 },
      "a concurrency that is no number": { concurrency: Number.NaN },
      "a body limit that is no number": { maxBodyBytes: Number.NaN },
      "a body limit below nothing": { maxBodyBytes: -1 },
      "a rate of nothing": { rateLimit: { requests: 0, per: "1 second" } },
      "a rate that is no number": { rateLimit: { requests: Number.NaN, per: "1 second" } },
      "a rate over time without end": { rateLimit: { requests: 1, per: Duration.infinity } },
      "a rate over no time": { rateLimit: { requests: 1, per: 0 } },
      "no time": { timeout: 0 },
      "no time in all": { totalTimeout: 0 },
      "retries that are no number": { retry: RetryPolicy.make({ retries: Number.NaN }) },
      "a budget that is no number": { retry: RetryPolicy.make({ budget: Number.NaN }) },
      "a line break in a header": { userAgent: `agent\r\nx-evil: ${canary}` },
    },
  }
  const rows = Object.entries(makings).flatMap(([tag, ways]) =>
    Object.entries(ways).map(([way, options]) => [tag, way, options] as const),
  )

  it.scoped.each(rows)("%s: %s, in words and without the secret", ([tag, , options]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(clientOf(fake(ok), { credential, ...options }))
      expect(makeTag(error)).toBe(tag)
      expect(error.message).toMatch(/^(The|A) .+\. [A-Z].+\.$/)
      expect(printed(error)).not.toContain(canary)
    }),
  )
})

describe("a service that repeats the credential", () => {
  /** Every part of the secret that would help to guess it. */
  const parts = Array.from({ length: canary.length - 11 }, (_, n) => canary.slice(n, n + 12))

  const bodies: ReadonlyArray<readonly [string, unknown]> = [
    ["where its words are cut", { code: "c", message: `${"x".repeat(490)}${canary}` }],
    ["just before its words are cut", { code: "c", message: `${"x".repeat(475)}${canary}${"y".repeat(50)}` }],
    ["where its code is cut", { code: `${"x".repeat(88)}${canary}`, message: "m" }],
    ["many times", { code: canary.repeat(9), message: canary.repeat(90) }],
    ["with its scheme", { message: `authorization: Bearer ${canary}` }],
    ["percent-encoded, in a link", { message: `see https://service.example/?token=${encodeURIComponent(canary)}` }],
    ["as a number would be", { error: { code: 401, message: `(${canary})` } }],
  ]

  it.scoped.each(bodies)("%s is not quoted with any part of it", ([, body]) =>
    Effect.gen(function* () {
      const credentials = [
        Credential.bearer(Redacted.make(canary)),
        Credential.header("X-API-Token", Redacted.make(canary)),
        Credential.bearer(Effect.succeed(Redacted.make(canary))),
      ]
      for (const credential of credentials) {
        const error = yield* failure({ answer: () => says(401, {}, JSON.stringify(body)), options: { credential } })
        const text = printed(error)
        expect(parts.filter((part) => text.includes(part))).toEqual([])
      }
    }),
  )

  it.scoped("is not quoted with the token that it refused before, either", () =>
    Effect.gen(function* () {
      const vault = { had: 0 }
      const secret = Effect.sync(() => Redacted.make(`${canary}-${++vault.had}`))
      const body = JSON.stringify({ message: `Refused: ${canary}-1 and ${canary}-2` })
      const error = yield* failure({
        answer: () => says(401, { "x-request-id": "r-1", "x-ms-request-id": "r-1" }, body),
        options: { credential: Credential.bearer(secret) },
      })
      expect(vault.had).toBe(2)
      expect(printed(error)).not.toContain(canary)
    }),
  )
})
