/** What errors quote of a service: readable texts without the secrets of the request. */
import { HttpBody, HttpClient, type HttpClientRequest } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder, Request, type ServiceClient } from "@vigil/core-http"
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
  readonly url?: string
  readonly isUrlSecret?: boolean
  readonly secrets?: ReadonlyArray<string>
}

const request = { operation: "Thing.get", responseType: "text", decode: () => Effect.void } as const

/** The status reason of the failure of a GET, which sends the token, and the time. */
const failure = (body: string | ReadableStream, sent: Sent = {}, headers: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const { isUrlSecret, options, secrets = [], url = "/thing" } = sent
    const server = fake(() => new Response(body, { status: 400, headers }))
    const service = yield* clientOf(server, {
      credential: Credential.header("x-token", Redacted.make(token)),
      ...options,
    })
    const call = service.get({ ...request, url, isUrlSecret, secrets: secrets.map((secret) => Redacted.make(secret)) })
    const { at, reason } = yield* outcome(call)
    return { at, status: reason !== undefined && "status" in reason ? reason : undefined }
  })

/** The `detail` of an error response with a message. */
const detailOf = (message: string, sent?: Sent) =>
  Effect.map(failure(JSON.stringify({ message }), sent), ({ status }) => status?.detail)

describe("the texts of an error response", () => {
  const long = `${"x".repeat(100)}…`

  it.effect.each<[string, string?, string?, string?]>([
    [""],
    ["x".repeat(500), long, "x".repeat(500), long],
    ["x".repeat(501), long, `${"x".repeat(500)}…`, long],
  ])("are undefined if they are empty, and cut if they are long: %#", ([text, code, detail, requestId]) =>
    Effect.gen(function* () {
      const options = { requestIdHeaders: ["x-own-id"] }
      for (const name of ["x-own-id", "x-request-id", "request-id"]) {
        const { status } = yield* failure(JSON.stringify({ code: text, message: text }), { options }, { [name]: text })
        expect(status).toMatchObject({ code, detail, requestId })
      }
    }),
  )

  it.effect("are ignored if the body takes too long, and passed to `parseErrorBody` if it is not JSON", () =>
    Effect.gen(function* () {
      const { at, status } = yield* failure(new ReadableStream())
      expect([status?.status, status?.detail, at]).toEqual([400, undefined, 2_000])
      const options: Partial<ServiceClient.Options> = { parseErrorBody: (body) => ({ code: String(body) }) }
      expect((yield* failure(`no ${token}`, { options })).status?.code).toBe("no <redacted>")
    }),
  )
})

const each = (text: string, write: (code: number) => string) =>
  Array.from(text, (char) => write(char.charCodeAt(0))).join("")
const percent = (text: string) => each(text, (code) => `%${code.toString(16).padStart(2, "0")}`)
const decimal = (text: string) => each(text, (code) => `&#${code};`)
const hexadecimal = (text: string) => each(text, (code) => `&#x${code.toString(16)};`)
const hex = (text: string) => Buffer.from(text).toString("hex")
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
  ["with escapes of bytes", each(secret, (code) => `\\x${code.toString(16)}`)],
  ["in hexadecimal", hex(secret)],
  ["in hexadecimal with separators", hex(secret).toUpperCase().replaceAll(/../g, "$&:")],
  ["in base64", btoa(secret)],
  ["in base64 for URLs", btoa(secret).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")],
  ["in base64 in lines", within(btoa(secret), "\n")],
  ["in base64 that is percent-encoded", encodeURIComponent(btoa(secret))],
  ["in base64, 1 byte from its start", btoa(`u${secret}`)],
  ["in base64, 2 bytes from its start", btoa(`uu${secret}`)],
  ["in base64 in the middle of a text", btoa(`uuuu${secret}, more`)],
]

describe("a secret", () => {
  const options = { credential: Credential.none }
  const plain = [token, token.toLowerCase(), token.toUpperCase()].flatMap((text) => [text, encodeURIComponent(text)])

  it.effect.each<[string, Sent]>([
    ["the credential", {}],
    ["declared", { secrets: [token], options }],
    ["the skip token of the URL", { url: `/thing?$skipToken=${encodeURIComponent(token)}`, options }],
  ])("that is %s is redacted within its text, or with the whole text in other forms", ([, sent]) =>
    Effect.gen(function* () {
      for (const written of plain)
        expect(yield* detailOf(`before ${written}, after`, sent), written).toBe("before <redacted>, after")
      for (const [form, written] of forms(token))
        expect(yield* detailOf(`before ${written}, after`, sent), form).toBe("<redacted>")
    }),
  )

  const writers = [(char: string) => char, percent, decimal, hexadecimal, json, (char: string) => `${char}\u200b`]
  property.live(
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

  it.effect("is redacted if the caller sends it in a header such as Authorization", () =>
    Effect.gen(function* () {
      const server = fake((_, { headers }) =>
        Response.json(
          { message: `No ${headers["authorization"]}, ${token}, ${headers["x-api-key"]}` },
          { status: 400 },
        ),
      )
      const { httpClient } = yield* clientOf(server)
      const headers = { authorization: `Bearer ${token}`, "x-api-key": "key-1" }
      const { reason } = yield* outcome(httpClient.get("/thing", { headers }))
      expect(reason).toMatchObject({ detail: "No <redacted>, <redacted>, <redacted>" })
    }),
  )

  it.effect("is in no text above 100,000 characters, which is redacted as a whole at once", () =>
    Effect.gen(function* () {
      const server = fake(() => Response.json({ error: { code: "Long", message: "x".repeat(200_000) } }))
      const service = yield* clientOf(server)
      const call = service.get({
        ...request,
        url: "/",
        responseType: "json",
        decode: () => Effect.fail({ path: "", problem: "" }),
      })
      expect((yield* outcome(call)).reason).toMatchObject({ code: "Long", detail: "<redacted>" })
    }),
  )

  const notSecret = "No group beta in the app shop"
  const similar = "The %zz key &amp; 100% of &#999999999; C:\\users\\u12 are not it: eyJhbGciOi, 1234567890."

  it.effect.each<[string, Sent, string, string]>([
    ["no text that contains it", { url: "/thing?group=beta&app=shop&a=No" }, notSecret, notSecret],
    ["a similar text", {}, similar, similar],
    ["the cut behind it", {}, `${"x".repeat(475)}${token}${"y".repeat(50)}`, `${"x".repeat(475)}R${"y".repeat(15)}…`],
    ["its scheme", { options: { credential: Credential.bearer(Redacted.make("k-1")) } }, "Bearer k-1, k-1.", "R, R."],
    ["special characters", { secrets: ["a.b+c(d)[e]{f}|g^h$i?j*k\\l"] }, "a.b+c(d)[e]{f}|g^h$i?j*k\\l, g", "R, g"],
    ["another secret as its start", { secrets: ["abcd", "abcdefgh"] }, "abcdefgh, abcd", "R, R"],
    ["no character", { secrets: [""] }, "Bad name: ", "Bad name: "],
    ["an unpaired surrogate", { secrets: ["p\ud800w"] }, "p\ud800w p\ufffdw", "R R"],
    ["a thousand others", { secrets: [...Array.from({ length: 1_000 }, () => "reda"), "ted>"] }, "reda reda", "R R"],
    ["an encoded name in the URL", { url: "/thing?a=1&%24SKIPTOKEN=tok%2Fen-77" }, "tok/en-77 tok%2Fen-77", "R R"],
    [
      "segments of a secret URL, if they are long, but no words",
      { url: "/services/T0ABCDEF/qwertzuiopasdfghjklyx/my%20hooks/team?a=b", isUrlSecret: true },
      "service, Services, t0abcdef, qwertzuiopasdfghjklyx, my%20hooks, my hooks, team",
      "service, Services, R, R, R, R, team",
    ],
    [
      "the signature of a workflow, but no words of its URL",
      {
        url: "/workflows/0a1b2c3d4e5f/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=words",
        isUrlSecret: true,
      },
      "The workflow state of 0A1B2C3D4E5F is Disabled since 2016-06-01: /triggers/manual/run, sig=words",
      "The workflow state of R is Disabled since 2016-06-01: /triggers/manual/run, sig=R",
    ],
    ["another secret within it", { secrets: ["abcd", "cdef"] }, "abcdef, cd", "R, cd"],
    ["another letter case with more characters", { secrets: ["straße-1"] }, "İ İ STRASSE-1", "R"],
    ["another letter case, with others of two characters before it", { secrets: ["abcd"] }, "İ ß ABCD", "İ ß R"],
    ["its beginning", { secrets: [`${"abcdefgh".repeat(8)}rest`] }, `${"abcdefgh".repeat(8)}…`, "R"],
    ["the service", {}, "see '/list?$SKIPTOKEN=a/b==' again", "see '/list?$SKIPTOKEN=R' again"],
    ["an escape of the service", {}, "%24skipToken=abc%26d", "%24skipToken=R"],
  ])("is redacted, and nothing else, if a message has %s", ([, sent, message, expected]) =>
    Effect.gen(function* () {
      expect(yield* detailOf(message, sent)).toBe(expected.replaceAll("R", "<redacted>"))
    }),
  )
})

describe("an error with a JSON key", () => {
  const counts = Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Number))
  const issue = { path: `a\n${token}`, problem: `is ${token}` }

  it.effect.each<[unknown, unknown, Decoder.Decoder<unknown>?]>([
    [{ before: { a: 1 }, [token]: { after: "x" } }, "<redacted>.after"],
    [{ [encodeURIComponent(`Bearer ${token}`)]: { after: "x" } }, "<redacted>.after"],
    [{ ["k".repeat(190)]: { [token]: "x" } }, `${"k".repeat(190)}.<redacted…`],
    [{ [`a\r\n\u202eb${"c".repeat(1_000)}`]: { d: "x" } }, expect.stringMatching(/^a bc{180,}…$/)],
    [{}, "a <redacted>", () => Effect.fail(issue)],
  ])("is short, on one line and without the secret: %o", ([body, path, decode = Decoder.fromSchema(counts)]) =>
    Effect.gen(function* () {
      const server = fake(() => Response.json(body))
      const service = yield* clientOf(server, { credential: Credential.bearer(Redacted.make(token)) })
      const { reason } = yield* outcome(service.get({ operation: "Thing.get", url: "/", decode }))
      expect(reason).toMatchObject({ _tag: "Decode", path, problem: expect.not.stringContaining(token) })
    }),
  )
})

it.effect.each(["tok-1234567890abcdef", "TOK-1234567890ABCDEF"])(
  "the host of a redirect or a link is shown without the secret: %s",
  (host) =>
    Effect.gen(function* () {
      const secret = host.toLowerCase()
      const url = `https://${host}.example/path`
      const server = fake(() => new Response(null, { status: 302, headers: { location: url } }))
      for (const value of [Redacted.make(secret), Effect.succeed(Redacted.make(secret))]) {
        const service = yield* clientOf(server, { credential: Credential.bearer(value) })
        for (const [tag, call] of [
          ["Redirect", get(service)],
          ["Link", service.get({ ...request, url })],
        ] as const) {
          const { error } = yield* outcome(call)
          expect(error).toMatchObject({ reason: { _tag: tag, target: "https://<redacted>.example" } })
          expect(printed(error)).not.toContain(secret)
        }
      }
      expect(server.requests).toHaveLength(2)
    }),
)

describe("a secret URL", () => {
  const path = "/services/T0CANARY0/B0CANARY0/canary%20x?api-version=canary1&sig=canary2"

  it.live.each([
    ["an error response", Reply.json({ code: path, message: `No ${path}, canary x, T0CANARY0` }, { status: 500 })],
    ["a redirect to it", Reply.redirect(307, path)],
    ["a lost connection", Reply.reset],
    ["a success", Reply.text("ok")],
  ] as const)("is in no error, span, log or metric: %s", ([, reply]) =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([reply])
      const url = server.origin + path
      const http = yield* HttpClient.HttpClient
      const service = yield* clientOf({ http }, { baseUrl: server.origin })
      const { result, spans, text } = yield* record(Effect.result(service.get({ ...request, url, isUrlSecret: true })))
      expect((yield* server.requests)[0]).toMatchObject({ target: path })
      expect(spans[0]?.attributes["url.full"]).toBe(server.origin)
      for (const shown of [text, printed(result), printed(yield* Metric.snapshot)]) expect(shown).not.toMatch(/canary/i)
    }).pipe(Effect.provide(oneLayer)),
  )

  it.effect.each<[string, boolean]>([
    ["$skipToken=canary1", false],
    ["sig=canary1", true],
  ])("stays hidden after a redirect: %s", ([query, isUrlSecret]) =>
    Effect.gen(function* () {
      const moved = () => new Response(null, { status: 302, headers: { location: "/canary1/moved" } })
      const server = fake((n) => (n === 1 ? moved() : Response.json({ message: "No canary1" }, { status: 404 })))
      const service = yield* clientOf(server)
      const url = `https://service.example/a?${query}`
      const { result, spans, text } = yield* record(Effect.result(service.get({ ...request, url, isUrlSecret })))
      expect(result).toMatchObject({ failure: { reason: { detail: "No <redacted>" } } })
      for (const shown of [text, printed(result), printed(spans)]) expect(shown).not.toMatch(/canary/)
    }),
  )
})

/** Two secrets of the request, one of the client, and one of the URL. */
const nested = FastCheck.constantFrom<Request.Options>(
  { secrets: [Redacted.make("canary-1")] },
  { secrets: [Redacted.make("canary-2")] },
  { secrets: [] },
  { secrets: undefined },
  { isUrlSecret: true },
  { operation: "Thing.change", attributes: { kind: "thing" } },
  { operation: undefined },
  { accepts: (status) => status === 400 },
  { idempotent: true },
)

property.live(
  "no error, log or span contains a secret, however clients and their options are nested",
  [FastCheck.array(nested, { maxLength: 6 }), FastCheck.boolean()],
  ([options, isSigned]) =>
    Effect.gen(function* () {
      const credential = Credential.header("x-token", Redacted.make("canary-3"))
      const secret = [{ secrets: [Redacted.make("canary-1")] }, { secrets: [Redacted.make("canary-2")] }]
      const declare = (client: Request.Client, all: ReadonlyArray<Request.Options>) =>
        all.reduce((inner, next) => inner.withOptions(next), client)
      const echo = fake((_, { body, headers, url }) =>
        Response.json(
          { error: { code: `c ${headers["x-token"]}`, message: `No ${body} ${url} ${headers["x-token"]}` } },
          { status: 400, headers: { "x-request-id": body } },
        ),
      )
      const signer = yield* clientOf(echo, { credential })
      const signed = HttpClient.mapRequestEffect((request: HttpClientRequest.HttpClientRequest) =>
        Effect.as(
          Effect.ignore(declare(signer.httpClient, [...secret, ...options]).post("/canary-1", { body: request.body })),
          request,
        ),
      )
      const service = yield* clientOf(echo, { credential, ...(isSigned && { transformClient: signed }) })
      const client = declare(service.httpClient, [...options.slice(0, 3), ...secret, ...options.slice(3)])
      const call = <E>(client: HttpClient.HttpClient.With<E>) =>
        Effect.result(client.post("/canary-1/x?a=canary-2", { body: HttpBody.text("canary-1 canary-2") }))
      const { result, text } = yield* record(Effect.all([call(client), call(Request.toHttpClient(client))]))
      // The headers and the body of an accepted response are as the service sent them.
      const returned = result.map((one) => printed(one._tag === "Failure" ? one.failure : one.success.request))
      for (const shown of [text, ...returned]) expect(shown).not.toMatch(/canary/)
    }),
)
