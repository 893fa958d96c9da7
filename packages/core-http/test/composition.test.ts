/** A service under clients of Effect: an `HttpApi`, also with streams, and code that requires `HttpClient.HttpClient`. */
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { ApiClient, Request, RequestError, Retry, type ServiceClient } from "@vigil/core-http"
import { record } from "@vigil/testing/Recorder"
import { type Cookies, HttpBody, HttpClient, HttpClientError, HttpClientResponse } from "effect/http"
import { HttpApi, type HttpApiClient, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { clientOf, drive, fake, lost, ok, outcome, printed, status } from "./fake.js"

const using = (respond: Parameters<typeof fake>[0], options: Partial<ServiceClient.Options> = {}) =>
  Effect.gen(function* () {
    const server = fake(respond)
    return { ...server, ...(yield* clientOf(server, { retry: Retry.none, ...options })) }
  })

describe("the body of a response", () => {
  const form = "--b\r\ncontent-disposition: form-data; name=a\r\n\r\n1\r\n--b--\r\n"

  it.effect("is read any number of times, in any form and any order", () =>
    Effect.gen(function* () {
      const headers = { "content-type": "multipart/form-data; boundary=b" }
      const { httpClient } = yield* using(() => new Response(form, { headers }))
      const response = yield* httpClient.get("/a")
      const { stream } = response
      const text = Effect.map(response.text, (text) => text)
      const streamed = Stream.mkString(Stream.decodeText(stream))
      const buffered = Effect.map(response.arrayBuffer, (buffer) => new TextDecoder().decode(buffer))
      const field = Effect.map(response.formData, (data) => data.get("a"))
      const once = [text, streamed, buffered, field]
      const all = [...once, ...once.toReversed(), ...once]
      const expected = [form, form, form, "1"]
      expect(yield* Effect.all(all)).toEqual([...expected, ...expected.toReversed(), ...expected])
      // A caller may change or transfer its copy.
      new Uint8Array(yield* response.arrayBuffer).fill(0)
      expect(yield* response.text).toBe(form)
    }),
  )

  it.effect("is JSON, URL parameters, or empty", () =>
    Effect.gen(function* () {
      const { httpClient } = yield* using((n) => new Response(n === 1 ? `\ufeff{"a":1}` : n === 2 ? "a=1&b=2" : ""))
      const [json, params, empty] = yield* Effect.all([
        httpClient.get("/a"),
        httpClient.get("/a"),
        httpClient.get("/a"),
      ])
      expect([yield* json.json, yield* json.json]).toEqual([{ a: 1 }, { a: 1 }])
      expect((yield* params.urlParamsBody).params).toEqual([
        ["a", "1"],
        ["b", "2"],
      ])
      expect(yield* empty.json).toBeNull()
    }),
  )
})

const App = Schema.Struct({ name: Schema.String })
const Missing = Schema.Struct({ _tag: Schema.tagDefaultOmit("Missing"), message: Schema.String }).pipe(
  HttpApiSchema.status(404),
)
const params = { app: Schema.String }

const Api = HttpApi.make("apps")
  .add(
    HttpApiGroup.make("apps")
      .add(HttpApiEndpoint.get("read", "/apps/:app", { params, success: App, error: Missing }))
      .add(HttpApiEndpoint.delete("remove", "/apps/:app", { params, success: HttpApiSchema.Empty(204) }))
      .add(HttpApiEndpoint.get("mine", "/apps/mine", { success: App }))
      .add(HttpApiEndpoint.get("export", "/apps/:app.json", { params, success: App }))
      .add(
        HttpApiEndpoint.get("find", "/find/:app?", {
          params: { app: Schema.optional(Schema.String) },
          success: App,
          error: Missing,
        }),
      )
      .add(HttpApiEndpoint.get("owned", "/:app/mine", { params, success: App })),
  )
  .add(
    HttpApiGroup.make("streams", { topLevel: true })
      .add(HttpApiEndpoint.get("lines", "/lines", { success: HttpApiSchema.StreamNdjson({ schema: App }) }))
      .add(HttpApiEndpoint.get("events", "/events", { success: HttpApiSchema.StreamSse({ data: App }) }))
      .add(HttpApiEndpoint.get("bytes", "/bytes", { success: HttpApiSchema.StreamUint8Array() })),
  )

describe("a client of an `HttpApi`", () => {
  it.effect("names group and endpoint in errors and spans, and decodes the declared errors", () =>
    Effect.gen(function* () {
      const { httpClient } = yield* using((_, { url }) =>
        url.endsWith("/gone") ? Response.json({ message: "No app." }, { status: 404 }) : status(503),
      )
      const { apps } = yield* ApiClient.make(Api, { httpClient })
      const { result, spans } = yield* record(
        Effect.all([
          Effect.flip(apps.read({ params: { app: "a b" } })),
          Effect.flip(apps.mine()),
          Effect.flip(apps.remove({ params: { app: "mine" } })),
          Effect.flip(apps.export({ params: { app: "mine" } })),
          Effect.flip(apps.owned({ params: { app: "apps" } })),
          Effect.flip(apps.find({ params: {} })),
          Effect.flip(apps.read({ params: { app: "gone" } })),
          Effect.flip(apps.find({ params: { app: "gone" } })),
        ]),
      )
      const errors = result.map((error) => (error instanceof RequestError.RequestError ? error.operation : error))
      const missing = { _tag: "Missing", message: "No app." }
      const operations = ["apps.read", "apps.mine", "apps.remove", "apps.export", "apps.owned", "apps.find"]
      expect(errors).toEqual([...operations, missing, missing])
      expect(String(result[0])).toContain("apps.read: the thing service responded 503")
      expect(spans.filter(({ name }) => name.startsWith("apps."))).toHaveLength(8)
    }),
  )

  it.effect.each([301, 302, 303, 307, 308])("returns a declared redirect, and follows others: %d", (code) =>
    Effect.gen(function* () {
      const moved = HttpApiSchema.Empty(code)
      const group = HttpApiGroup.make("files")
        .add(HttpApiEndpoint.get("declared", "/files", { success: moved }))
        .add(HttpApiEndpoint.post("uploaded", "/files", { success: [App, moved] }))
        .add(HttpApiEndpoint.get("followed", "/files", { success: App }))
      const { httpClient, requests } = yield* using((_, { url }) =>
        url.endsWith("/b")
          ? Response.json({ name: "b" })
          : new Response(null, { status: code, headers: { location: "/b" } }),
      )
      const { files } = yield* ApiClient.make(HttpApi.make("files").add(group), { httpClient })
      expect([yield* files.declared(), yield* files.uploaded()]).toEqual([undefined, undefined])
      expect(requests).toHaveLength(2)
      expect(yield* files.followed()).toEqual({ name: "b" })
    }),
  )

  it.effect("keeps the options of the client and the paths of the service", () =>
    Effect.gen(function* () {
      const { httpClient, requests } = yield* using((_, { url }) => new Response(`No ${url}`, { status: 400 }), {
        baseUrl: "https://service.example/v1",
      })
      const secret = httpClient.withOptions({ secrets: [Redacted.make("canary")] })
      for (const baseUrl of [undefined, "/v2", new URL("https://service.example/v3")]) {
        const { apps } = yield* ApiClient.make(Api, { httpClient: secret, baseUrl })
        const error = yield* Effect.flip(apps.read({ params: { app: "canary" } }))
        expect(error).toMatchObject({ operation: "apps.read" })
        expect(printed(error)).not.toContain("canary")
      }
      expect(requests.map(({ url }) => url.replace("https://service.example", ""))).toEqual([
        "/v1/apps/canary",
        "/v1/v2/apps/canary",
        "/v3/apps/canary",
      ])
    }),
  )

  it("has the type of Effect's client", () => {
    type Client = HttpApiClient.ForApi<typeof Api, RequestError.RequestError>
    expectTypeOf<Effect.Success<ReturnType<typeof makeClient>>>().toEqualTypeOf<Client>()
  })

  it.effect("reads streams of a complete body, any number of elements of it", () =>
    Effect.gen(function* () {
      const names = ["a", "b", "c"]
      const { httpClient } = yield* using((_, { url }) =>
        url.endsWith("/events")
          ? new Response(names.map((name) => `data: {"name":"${name}"}\n\n`).join(""))
          : new Response(names.map((name) => `{"name":"${name}"}\n`).join("")),
      )
      const client = yield* ApiClient.make(Api, { httpClient })
      for (const stream of [yield* client.lines(), yield* client.events()])
        for (const count of [2, 3, 2])
          expect(yield* Stream.runCollect(Stream.take(stream, count))).toEqual(
            names.slice(0, count).map((name) => ({ name })),
          )
      expect(yield* Stream.mkString(Stream.decodeText(yield* client.bytes()))).toHaveLength(39)
    }),
  )

  it.effect("fails for a stream that does not end in time, or exceeds the limit", () =>
    Effect.gen(function* () {
      const line = new TextEncoder().encode(`{"name":"a"}\n`)
      const endless = () => new ReadableStream({ start: (controller) => controller.enqueue(line) })
      const { httpClient } = yield* using((n) => new Response(n === 1 ? endless() : "x".repeat(100)), {
        maxBodyBytes: 50,
      })
      const client = yield* ApiClient.make(Api, { httpClient })
      for (const tag of ["Timeout", "BodyTooLarge"]) {
        const { exit } = yield* drive(Effect.flip(client.lines()))
        expect(yield* exit).toMatchObject({ operation: "streams.lines", reason: { _tag: tag } })
      }
    }),
  )
})

const makeClient = (httpClient: Request.Client) => ApiClient.make(Api, { httpClient })

/** Code that requires the `HttpClient` of Effect, as a generator writes it. */
const generated = (client: HttpClient.HttpClient) =>
  client.post("/apps", { body: HttpBody.text("canary") }).pipe(
    Effect.flatMap(
      HttpClientResponse.matchStatus({
        "2xx": (response) =>
          Effect.orDie(HttpClientResponse.schemaBodyJson(Schema.Struct({ ok: Schema.Boolean }))(response)),
        404: () => Effect.succeed("missing"),
        orElse: ({ status }) => Effect.succeed(status),
      }),
    ),
  )

describe("`toHttpClient`", () => {
  it.effect("returns responses with any status code, after the retries", () =>
    Effect.gen(function* () {
      const { httpClient, requests } = yield* using((n) => (n < 3 ? status([404, 429][n - 1] ?? 0) : ok()), {
        retry: Retry.exponential(0, 3),
      })
      const client = Request.toHttpClient(httpClient)
      expectTypeOf(client).toEqualTypeOf<HttpClient.HttpClient>()
      expect([yield* generated(client), yield* generated(client)]).toEqual(["missing", { ok: true }])
      expect(requests).toHaveLength(3)
      const failing = yield* using(() => status(503))
      expect(yield* generated(Request.toHttpClient(failing.httpClient))).toBe(503)
    }),
  )

  it.effect("fails with a transient error if a later request may succeed, and without secrets", () =>
    Effect.gen(function* () {
      const moved = () => new Response(null, { status: 302, headers: { location: "https://other.example/canary" } })
      const { httpClient } = yield* using((n) => (n === 1 ? lost : moved()))
      const secret = httpClient.withOptions({ secrets: [Redacted.make("canary")], operation: "App.make" })
      const errors = yield* Effect.all([
        Effect.flip(generated(Request.toHttpClient(secret))),
        Effect.flip(generated(Request.toHttpClient(secret))),
        Effect.flip(Request.toHttpClient(secret).get("canary")),
      ])
      expect(errors).toMatchObject([
        { reason: { _tag: "TransportError", cause: { _tag: "RequestError", isRetryable: true, maybeApplied: true } } },
        { reason: { _tag: "EncodeError", cause: { reason: { _tag: "Redirect" }, isRetryable: false } } },
        { reason: { _tag: "InvalidUrlError", cause: { reason: { _tag: "Link" } } } },
      ])
      expect(errors.map(HttpClient.isTransientError)).toEqual([true, false, false])
      expect(errors.every(HttpClientError.isHttpClientError)).toBe(true)
      expect(errors[0]?.message).toContain("App.make: the thing service at https://service.example sent no complete")
      expect(printed(errors)).not.toContain("canary")
    }),
  )
})

it.effect("`transformClient` keeps cookies, and sends them for a path and a redirect", () =>
  Effect.gen(function* () {
    const jar = yield* Ref.make<ReadonlyArray<Cookies.Cookie>>([])
    const { httpClient, requests } = yield* using(
      (n) =>
        n === 1 ? new Response(null, { status: 302, headers: { location: "/b", "set-cookie": "a=b; Path=/" } }) : ok(),
      { transformClient: HttpClient.withCookiesRef(jar) },
    )
    yield* httpClient.get("/a")
    yield* httpClient.get("/c")
    expect(requests.map(({ headers }) => headers["cookie"])).toEqual([undefined, "a=b", "a=b"])
    expect((yield* outcome(httpClient.get("/d"))).error).toBeUndefined()
  }),
)
