/** What errors quote of a service: readable texts without the secrets of the request. */
import { HttpClient } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder, type Request, Retry, type ServiceClient } from "@vigil/core-http"
import { Faults, Reply } from "@vigil/sandbox"
import { oneLayer } from "@vigil/testing/HttpStack"
import * as property from "@vigil/testing/property"
import { record } from "@vigil/testing/Recorder"
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"
import * as Metric from "effect/Metric"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { clientOf, fake, get, outcome, printed } from "./fake.js"

const token = "eyJhbGciOi.Tok+en/1234567890=="

interface Sent {
  readonly options?: Partial<ServiceClient.Options>
  readonly path?: string
  readonly secrets?: ReadonlyArray<string>
}

/** The reason of the failure of a GET, which sends the token, and the time. */
const failure = (response: Response, { options, path = "/thing", secrets = [] }: Sent = {}) =>
  Effect.gen(function* () {
    const credential = Credential.header("x-token", Redacted.make(token))
    const service = yield* clientOf(
      fake(() => response),
      { credential, retry: Retry.none, ...options },
    )
    const { at, reason } = yield* outcome(
      service.request({
        operation: "Thing.get",
        method: "GET",
        url: service.url(path),
        secrets: secrets.map((secret) => Redacted.make(secret)),
        decode: Decoder.ignore,
      }),
    )
    return { at, reason, status: reason !== undefined && "status" in reason ? reason : undefined }
  })

const respond = (body: string | ReadableStream, headers: Record<string, string> = {}) =>
  new Response(body, { status: 400, headers })

/** The `detail` of an error response with a message. */
const detailOf = (message: string, sent: Sent = {}) =>
  Effect.map(failure(respond(JSON.stringify({ message })), sent), ({ status }) => status?.detail)

describe("the texts of an error response", () => {
  it.effect("are undefined if they are empty, and cut if they are long", () =>
    Effect.gen(function* () {
      const { status: empty } = yield* failure(respond(`{"code":"","message":""}`, { "x-request-id": "" }))
      expect(empty).toMatchObject({ code: undefined, detail: undefined, requestId: undefined })
      const long = JSON.stringify({ code: "c".repeat(101), message: "m".repeat(501) })
      const { status } = yield* failure(respond(long, { "x-request-id": "r".repeat(101) }))
      expect(status).toMatchObject({
        code: `${"c".repeat(100)}…`,
        detail: `${"m".repeat(500)}…`,
        requestId: `${"r".repeat(100)}…`,
      })
    }),
  )

  it.effect("are ignored if the body takes too long", () =>
    Effect.gen(function* () {
      const { at, status } = yield* failure(respond(new ReadableStream()))
      expect(status).toMatchObject({ status: 400, detail: undefined })
      expect(at).toBe(2_000)
    }),
  )

  it.effect.each(["x-ms-request-id", "x-request-id", "request-id"])("include the request ID in %s", (name) =>
    Effect.gen(function* () {
      expect((yield* failure(respond("", { [name]: "r-1" }))).status).toMatchObject({ requestId: "r-1" })
    }),
  )

  it.effect("that are not JSON are passed to `parseErrorBody`", () =>
    Effect.gen(function* () {
      const options: Partial<ServiceClient.Options> = { parseErrorBody: (body) => ({ code: String(body) }) }
      expect((yield* failure(respond(`no ${token}`), { options })).status?.code).toBe("no <redacted>")
    }),
  )
})

describe("words that are not secret", () => {
  it.effect.each<[string, string]>([
    ["No group beta in the app shop", "/thing?group=beta&app=shop&a=No&b="],
    ["The %zz key &amp; 100% of &#999999999; C:\\users\\u12 are not it: eyJhbGciOi, 1234567890.", "/thing"],
  ])("stay readable: %s", ([message, path]) =>
    Effect.gen(function* () {
      expect(yield* detailOf(message, { path })).toBe(message)
    }),
  )
})

const each = (text: string, write: (code: number) => string) =>
  Array.from(text, (char) => write(char.charCodeAt(0))).join("")
const percent = (text: string) => each(text, (code) => `%${code.toString(16).padStart(2, "0")}`)
const decimal = (text: string) => each(text, (code) => `&#${code};`)
const hexadecimal = (text: string) => each(text, (code) => `&#x${code.toString(16)};`)
const json = (text: string) => each(text, (code) => `\\u${code.toString(16).padStart(4, "0")}`)
const within = (text: string, inside: string) => Array.from(text).join(inside)

/** Each form of a secret in a text. */
const forms = (secret: string): ReadonlyArray<readonly [name: string, written: string]> => [
  ["with every character percent-encoded", percent(secret)],
  ["percent-encoded twice", encodeURIComponent(percent(secret))],
  ["with decimal HTML escapes", decimal(secret)],
  ["with hexadecimal HTML escapes", hexadecimal(secret)],
  ["with named HTML escapes", secret.replaceAll("+", "&plus;").replaceAll("=", "&equals;").replaceAll("/", "&sol;")],
  ["with JSON escapes", json(secret)],
  ["with escaped slashes", secret.replaceAll("/", "\\/")],
  ["with line breaks inside", within(secret, "\r\n  ")],
  ["with escaped line breaks inside", within(secret, "\\n")],
  ["with zero-width characters inside", within(secret, "\u200b\u00ad\ufeff\u034f\u{e0041}")],
  ["with direction marks inside", within(secret, "\u202e")],
  ["in base64", btoa(secret)],
  ["in base64 for URLs", btoa(secret).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")],
  ["in base64 in lines", within(btoa(secret), "\n")],
  ["in base64 that is percent-encoded", encodeURIComponent(btoa(secret))],
  ["in base64, 1 byte from its start", btoa(`u${secret}`)],
  ["in base64, 2 bytes from its start", btoa(`uu${secret}`)],
  ["in base64 in the middle of a text", btoa(`uuuu${secret}, more`)],
]

describe("a secret", () => {
  /** How a request sends the same secret. */
  const kinds: ReadonlyArray<readonly [string, Sent]> = [
    ["the credential", {}],
    ["declared", { secrets: [token], options: { credential: Credential.none } }],
    [
      "the skip token of the URL",
      { path: `/thing?$skipToken=${encodeURIComponent(token)}`, options: { credential: Credential.none } },
    ],
  ]

  describe.each(kinds)("that is %s", (_, sent) => {
    const plain = [token, token.toLowerCase(), token.toUpperCase()]
    it.effect.each([...plain, ...plain.map(encodeURIComponent)])("is redacted within its text: %s", (written) =>
      Effect.gen(function* () {
        expect(yield* detailOf(`before ${written}, after`, sent)).toBe("before <redacted>, after")
      }),
    )

    it.effect.each(forms(token))("is redacted with the whole text %s", ([, written]) =>
      Effect.gen(function* () {
        expect(yield* detailOf(`before ${written}, after`, sent)).toBe("<redacted>")
      }),
    )
  })

  const writers = [(char: string) => char, percent, decimal, hexadecimal, json, (char: string) => `${char}\u200b`]
  property.effect(
    "is redacted in any mixture of escapes",
    [FastCheck.array(FastCheck.nat(writers.length - 1), { minLength: token.length, maxLength: token.length })],
    ([choices]) =>
      Effect.gen(function* () {
        const written = choices.map((choice, index) => writers[choice]?.(token.charAt(index)) ?? "").join("")
        expect(yield* detailOf(`before ${written} after`)).toContain("<redacted>")
      }),
  )

  it.effect.each(["%", "&", "&#", "\\", "\\u", "\u200b", "$skipToken=", "eyJ", "http://"])(
    "does not make the redaction of 20,000 characters of %j slow",
    (unit) =>
      Effect.gen(function* () {
        expect(yield* detailOf(unit.repeat(20_000 / unit.length))).not.toContain(token)
      }),
  )

  it.effect.each<[string, Sent, string, string]>([
    ["its scheme", { options: { credential: Credential.bearer(Redacted.make("k-1")) } }, "Bearer k-1, k-1.", "R, R."],
    ["special characters", { secrets: ["a.b+c(d)[e]{f}|g^h$i?j*k\\l"] }, "a.b+c(d)[e]{f}|g^h$i?j*k\\l, g", "R, g"],
    ["another secret as its start", { secrets: ["abcd", "abcdefgh"] }, "abcdefgh, abcd", "R, R"],
    ["no character", { secrets: [""] }, "Bad name: ", "Bad name: "],
    ["an unpaired surrogate", { secrets: ["p\ud800w"] }, "p\ud800w p\ufffdw", "R R"],
    ["a thousand others", { secrets: [...Array.from({ length: 1_000 }, () => "reda"), "ted>"] }, "reda reda", "R R"],
    ["an encoded name in the URL", { path: "/thing?a=1&%24SKIPTOKEN=tok%2Fen-77" }, "tok/en-77 tok%2Fen-77", "R R"],
    ["the service", {}, "see '/list?$SKIPTOKEN=a/b==' again", "see '/list?$skipToken=R' again"],
    ["an escape of the service", {}, "%24skipToken=abc%26d", "$skipToken=R"],
  ])("with %s is redacted", ([, sent, message, expected]) =>
    Effect.gen(function* () {
      expect(yield* detailOf(message, sent)).toBe(expected.replaceAll("R", "<redacted>"))
    }),
  )
})

describe("an error with a JSON key", () => {
  const counts = Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Number))
  const pathOf = (body: unknown, decode: Decoder.Decoder<unknown> = Decoder.fromSchema(counts)) =>
    Effect.gen(function* () {
      const credential = Credential.bearer(Redacted.make(token))
      const service = yield* clientOf(
        fake(() => Response.json(body)),
        { credential },
      )
      return (yield* outcome(service.get({ operation: "Thing.get", url: "/", decode }))).reason
    })

  it.effect.each([
    [{ before: { a: 1 }, [token]: { after: "x" } }, "<redacted>.after"],
    [{ [encodeURIComponent(`Bearer ${token}`)]: { after: "x" } }, "<redacted>.after"],
    [{ ["k".repeat(190)]: { [token]: "x" } }, `${"k".repeat(190)}.<redacted…`],
    [{ [`a\r\n\u202eb${"c".repeat(1_000)}`]: { d: "x" } }, expect.stringMatching(/^a bc{180,}…$/)],
  ])("is short, on one line and without the secret: %o", ([body, path]) =>
    Effect.gen(function* () {
      expect(yield* pathOf(body)).toMatchObject({ _tag: "Decode", path })
    }),
  )

  it.effect("of your own decoder is without the secret", () =>
    Effect.gen(function* () {
      const issue = { path: `a\n${token}`, reason: `is ${token}` }
      expect(yield* pathOf({}, () => Effect.fail(issue))).toMatchObject({
        path: "a <redacted>",
        problem: "is <redacted>",
      })
    }),
  )
})

describe("an error with a host", () => {
  const secret = "tok-1234567890abcdef"
  const target = "https://<redacted>.example"
  const hosts = [secret, secret.toUpperCase()]

  it.effect.each(hosts)("of a redirect or a link does not contain the secret: %s", (host) =>
    Effect.gen(function* () {
      const server = fake(() => new Response(null, { status: 302, headers: { location: `https://${host}.example/a` } }))
      for (const value of [Redacted.make(secret), Effect.succeed(Redacted.make(secret))]) {
        const service = yield* clientOf(server, { credential: Credential.bearer(value) })
        const redirected = yield* outcome(get(service))
        expect(redirected.reason).toMatchObject({ _tag: "Redirect", target })
        const url = `https://${host}.example/path`
        const linked = yield* outcome(service.get({ operation: "Thing.get", url, decode: Decoder.ignore }))
        expect(linked.error).toMatchObject({ reason: { _tag: "Link", target }, maybeApplied: false })
        expect(printed([redirected.error, linked.error])).not.toContain(secret)
      }
      expect(server.requests).toHaveLength(2)
    }),
  )
})

const post: Request.Request<void> = {
  operation: "Thing.change",
  method: "POST",
  url: "/thing",
  body: { a: 1 },
  idempotent: true,
  decode: Decoder.ignore,
}

describe("a secret URL", () => {
  const path = "/services/T0CANARY0/B0CANARY0/canary%20x?api-version=canary1&sig=canary2"

  it.live.each([
    ["an error response that repeats it", Reply.json({ code: path, message: `No ${path}, canary x` }, { status: 404 })],
    ["an error response with a part of it", Reply.json({ code: "canary%20x", message: "T0CANARY0" }, { status: 500 })],
    ["a redirect to it", Reply.redirect(307, path)],
    ["a lost connection", Reply.reset],
    ["a success", Reply.text("ok")],
  ] as const)("is in no error, span, log or metric: %s", ([, reply]) =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([reply])
      const url = Redacted.make(server.origin + path)
      const http = yield* HttpClient.HttpClient
      const service = yield* clientOf({ http }, { baseUrl: server.origin })
      const { result, spans, text } = yield* record(Effect.result(service.request({ ...post, url })))
      expect((yield* server.requests)[0]).toMatchObject({ target: path })
      expect(spans[0]?.attributes["url.full"]).toBe(server.origin)
      for (const shown of [text, printed(result), printed(yield* Metric.snapshot)]) expect(shown).not.toMatch(/canary/i)
    }).pipe(Effect.provide(oneLayer)),
  )

  it.effect("has its longer segments redacted, as written and decoded", () =>
    Effect.gen(function* () {
      const message = "service, Services%2F, services/, team"
      const service = yield* clientOf(fake(() => Response.json({ message }, { status: 400 })))
      const url = Redacted.make("https://service.example/team/service/services%2F?a=b")
      const { reason } = yield* outcome(service.request({ ...post, url }))
      expect(reason).toMatchObject({ detail: "service, <redacted>, <redacted>, team" })
    }),
  )
})

describe("the secrets of a body", () => {
  const canary = "canary-51ab/7e"
  it.effect.each([new URLSearchParams({ password: canary }), { password: canary }])(
    "are in no error, log or span: %o",
    (body) =>
      Effect.gen(function* () {
        const message = `Not ${canary}, not ${encodeURIComponent(canary)}, but this.`
        const headers = { "x-request-id": btoa(canary) }
        const server = fake((n) => Response.json({ code: canary, message }, { status: n === 1 ? 429 : 400, headers }))
        const service = yield* clientOf(server)
        const secrets = [Redacted.make(canary)]
        const request = service.request({ ...post, method: "POST", body, secrets })
        const { result, text } = yield* record(outcome(request))
        expect(result.reason).toMatchObject({
          code: "<redacted>",
          detail: "Not <redacted>, not <redacted>, but this.",
          requestId: "<redacted>",
        })
        expect(text).toContain("Retrying in")
        for (const shown of [printed(result.error), text]) expect(shown).not.toContain("canary")
      }),
  )
})
