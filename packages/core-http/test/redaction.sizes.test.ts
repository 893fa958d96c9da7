/** Secrets of any size and alphabet, wherever a request has them and however a service repeats them. */
import { HttpBody, HttpClientRequest } from "effect/http"
import { expect, it } from "@effect/vitest"
import { Credential, Decoder, type ServiceClient } from "@vigil/core-http"
import { alphabets, hex, kinds, write, writers } from "@vigil/testing/LongSecret"
import * as property from "@vigil/testing/property"
import { record } from "@vigil/testing/Recorder"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "fast-check"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { clientOf, fake, outcome, printed } from "./fake.js"

/** Of one size, because those of one character hide most of each text. Few large ones, to be fast. */
const secrets = FastCheck.integer({ min: 0, max: 60 }).chain((tenths) =>
  FastCheck.array(
    FastCheck.tuple(FastCheck.constantFrom(...kinds), FastCheck.nat(2 ** 31)).map(([kind, seed]) =>
      kind(seed, Math.floor(10 ** (tenths / 10))),
    ),
    { minLength: 1, maxLength: tenths > 50 ? 5 : 50 },
  ),
)

/** Where a request has its secrets. A text that no header can carry is refused. */
const places: ReadonlyArray<(...secrets: ReadonlyArray<string>) => Sent> = [
  (...declared) => ({ declared }),
  (...declared) => ({ declared, body: declared.join("\n") }),
  (...secrets) => ({ query: secrets.map((text) => `$skipToken=${encodeURIComponent(text.toWellFormed())}`) }),
  (...parameters) => ({ parameters }),
  (authorization) => ({ headers: { authorization } }),
  (token) => ({ options: { credential: Credential.bearer(Redacted.make(token)) } }),
]

interface Sent {
  readonly options?: Partial<ServiceClient.Options>
  readonly declared?: ReadonlyArray<string>
  readonly parameters?: ReadonlyArray<string>
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: ReadonlyArray<string>
  readonly body?: string
}

const requestOf = ({ body, headers = {}, parameters = [], query = [] }: Sent) =>
  HttpClientRequest.put(`/thing?${query.join("&")}`, {
    headers,
    urlParams: parameters.map((text, index) => [`p${index}`, Redacted.make(text)] as const),
    ...(body !== undefined && { body: HttpBody.text(body) }),
  })

/** Where a service repeats it. */
const replies: ReadonlyArray<(text: string) => Response> = [
  (message) => Response.json({ error: { code: message, message } }, { status: 400 }),
  (message) => new Response(message, { status: 409 }),
  (message) =>
    Response.json(
      { message: "No" },
      { status: 404, headers: { "x-request-id": encodeURIComponent(message.toWellFormed()) } },
    ),
  (message) => Response.json({ [message]: { at: message } }),
  (message) =>
    new Response(null, { status: 302, headers: { location: `https://${hex(message)}.example/${hex(message)}` } }),
  () => Response.json({}),
]

const decode = Decoder.fromSchema(Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Number)))

property.live(
  "no secret with six letters or digits is in an error, a log or a span, and none is a defect",
  [
    FastCheck.constantFrom(...places),
    secrets,
    FastCheck.constantFrom(...replies),
    FastCheck.array(FastCheck.constantFrom(...writers), { minLength: 1, maxLength: 2 }),
  ],
  ([place, all, reply, writers]) =>
    Effect.gen(function* () {
      // The places in headers have one secret.
      const secrets = all.slice(0, place.length || all.length)
      const hidden = secrets.filter((text) => text.replaceAll(/[^\p{L}\p{N}]/gu, "").length > 5)
      const small = hidden.filter(({ length }) => length < 10_000)
      const repeated = writers.flatMap((write, index) => small.slice(index, index + 1).map(write))
      const server = fake(() => reply(`before ${repeated.join(" and ")} after`))
      const sent = place(...secrets)
      const declared = sent.declared?.map((text) => Redacted.make(text))
      const call = Effect.flatMap(clientOf(server, sent.options), (service) =>
        service.send(requestOf(sent), { operation: "Thing.put", secrets: declared, decode }),
      )
      const { result, text } = yield* record(Effect.exit(call))
      const errors = Exit.isFailure(result) ? result.cause.reasons : []
      expect(errors.filter((reason) => !Cause.isFailReason(reason))).toEqual([])
      const shown = [text, printed(result), ...errors.filter(Cause.isFailReason).map(({ error }) => printed(error))]
        .join("\n")
        .toLowerCase()
      const found = [...hidden, ...repeated].filter((text) => shown.includes(text.slice(0, 200).toLowerCase()))
      expect(found).toEqual([])
    }),
)

it.effect("fifty secrets of a megabyte are no defect, and the rest of a long message is shown", () =>
  Effect.gen(function* () {
    const all = Array.from({ length: 50 }, (_, seed) => write(alphabets.cyrillic, seed, 1_000_000))
    const message = "x".repeat(60_000)
    const server = fake(() => Response.json({ message }, { status: 400 }))
    const service = yield* clientOf(server)
    const secrets = all.map((text) => Redacted.make(text))
    const { reason } = yield* outcome(service.send(requestOf({}), { operation: "Thing.put", secrets, decode }))
    expect(reason).toMatchObject({ detail: `${"x".repeat(500)}…` })
  }),
)

it.effect("a link with 200,000 cursors is followed, and its error response is read", () =>
  Effect.gen(function* () {
    const server = fake(() => Response.json({ message: "No token-199999" }, { status: 400 }))
    const service = yield* clientOf(server)
    const url = `/thing?${Array.from({ length: 200_000 }, (_, n) => `$skipToken=token-${n}`).join("&")}`
    const { reason } = yield* outcome(service.get({ operation: "Thing.get", url, decode }))
    expect(reason).toMatchObject({ status: 400, detail: expect.not.stringContaining("token-") })
  }),
)

it.effect("the names of secret parameters may be long, or have characters of any kind", () =>
  Effect.gen(function* () {
    const names = ["🔥key", "n".repeat(100_000), "a\ud800"]
    const server = fake(() => Response.json({ message: "?a=1&%F0%9F%94%A5Key=one&🔥KEY=two three" }, { status: 400 }))
    const service = yield* clientOf(server, { secretParameters: names })
    const { reason } = yield* outcome(service.get({ operation: "Thing.get", url: "/thing", decode }))
    expect(reason).toMatchObject({ detail: "?a=1&%F0%9F%94%A5Key=<redacted>&🔥KEY=<redacted> three" })
  }),
)
