/** JSON keys and hosts that repeat the credential. */
import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder, type ServiceClient } from "@vigil/core-http"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { clientOf, fake, outcome, printed } from "./fake.js"

const secret = "tok-1234567890abcdef"
const counts = Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Number))

/** The error of a GET that sends the secret. */
const failure = (response: Response, decode: Decoder.Decoder<unknown> = Decoder.fromSchema(counts)) =>
  Effect.gen(function* () {
    const options: Partial<ServiceClient.Options> = { credential: Credential.bearer(Redacted.make(secret)) }
    const service = yield* clientOf(
      fake(() => response),
      options,
    )
    const request = service.get({ operation: "Thing.get", url: service.url("/thing"), decode })
    return (yield* outcome(request)).error
  })

describe("an error of a request with further secrets", () => {
  it.effect.each([
    ["is empty", ""],
    ["contains an unpaired surrogate", "p\ud800w"],
    ["contains an unpaired surrogate, which the service received as U+FFFD", "p\ud800w", "p\ufffdw"],
  ] as const)("is readable if a secret %s", ([, text, echo = text]) =>
    Effect.gen(function* () {
      const server = fake(() =>
        Response.json({ error: { code: "Bad", message: `Bad name: ${echo}` } }, { status: 400 }),
      )
      const service = yield* clientOf(server, { credential: Credential.bearer(Redacted.make(secret)) })
      const request = { operation: "Thing.get", url: service.url("/thing"), decode: Decoder.ignore }
      const { error } = yield* outcome(service.request({ ...request, method: "GET", secrets: [Redacted.make(text)] }))
      expect(error?._tag === "ServiceError" ? error.detail : error?._tag).toBe(
        text === "" ? "Bad name: " : "Bad name: <redacted>",
      )
    }),
  )
})

describe("an error with a JSON key", () => {
  it.effect.each([
    [secret, "<redacted>.after"],
    [secret.toUpperCase(), "<redacted>.after"],
    [`Bearer ${secret}`, "<redacted>.after"],
    [encodeURIComponent(`Bearer ${secret}`), "<redacted>.after"],
  ] as const)("does not contain the secret: %s", ([key, path]) =>
    Effect.gen(function* () {
      const error = yield* failure(Response.json({ before: { a: 1 }, [key]: { after: "x" } }))
      expect(error).toMatchObject({ _tag: "DecodeError", path })
      expect(printed(error)).not.toContain(key)
    }),
  )

  it.effect("does not contain a part of the secret at the cut", () =>
    Effect.gen(function* () {
      const error = yield* failure(Response.json({ ["k".repeat(190)]: { [secret]: "x" } }))
      expect(error).toMatchObject({ _tag: "DecodeError", path: `${"k".repeat(190)}.<redacted…` })
    }),
  )

  it.effect("keeps a malicious key short and on one line", () =>
    Effect.gen(function* () {
      const error = yield* failure(Response.json({ [`a\r\n\u202eb${"c".repeat(1_000)}`]: { d: "x" } }))
      expect(error?._tag === "DecodeError" ? error.path : "").toMatch(/^a bc{180,}…$/)
    }),
  )

  it.effect("redacts issues of a decoder", () =>
    Effect.gen(function* () {
      const error = yield* failure(Response.json({}), () =>
        Effect.fail({ path: `a\n${secret}`, reason: `is ${secret}` }),
      )
      expect(error).toMatchObject({ path: "a <redacted>", reason: "is <redacted>" })
    }),
  )
})

describe("an error with a host", () => {
  it.effect.each([`https://${secret}.example/path`, `https://${secret.toUpperCase()}.example`])(
    "does not contain the secret: %s",
    (location) =>
      Effect.gen(function* () {
        const error = yield* failure(new Response(null, { status: 302, headers: { location } }))
        expect(error).toMatchObject({ _tag: "RedirectRefused", target: "https://<redacted>.example" })
        expect(printed(error)).not.toContain(secret)
      }),
  )

  it.effect.each([secret, secret.toUpperCase()])("does not contain the secret in a link: %s", (host) =>
    Effect.gen(function* () {
      const server = fake(() => Response.json({}))
      for (const credential of [Redacted.make(secret), Effect.succeed(Redacted.make(secret))]) {
        const service = yield* clientOf(server, { credential: Credential.bearer(credential) })
        const url = `https://${host}.example/path`
        const { error } = yield* outcome(service.get({ operation: "Thing.get", url, decode: Decoder.ignore }))
        expect(error).toMatchObject({ _tag: "LinkRefused", target: "https://<redacted>.example" })
        expect(printed(error)).not.toContain(secret)
      }
      expect(server.requests).toEqual([])
    }),
  )
})
