/** A service as an `HttpClient`: requests of any shape, statuses, bodies, and what programs compose with it. */
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { Credential, type Request, type RequestError, type ServiceClient } from "@vigil/core-http"
import { Cookies, HttpBody, HttpClient, HttpClientError, HttpClientRequest, HttpClientResponse } from "effect/http"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as Stream from "effect/Stream"
import { clientOf, fake, ok, outcome, printed, status } from "./fake.js"

const credential = Credential.header("X-API-Token", Redacted.make("hidden-0"))

const using = (options: Partial<ServiceClient.Options> = {}, respond: Parameters<typeof fake>[0] = ok) =>
  Effect.gen(function* () {
    const server = fake(respond)
    const { httpClient } = yield* clientOf(server, { credential, baseUrl: "https://service.example/v1", ...options })
    return { ...server, httpClient }
  })

const mapped = (client: Request.Client) => HttpClient.mapRequest(client, (request) => request)

const toHttpClientError = (request: HttpClientRequest.HttpClientRequest) => (cause: unknown) =>
  new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })

describe("a URL", () => {
  it.effect.each([
    ["/a%2Fb?$x=1&y='", "https://service.example/v1/a%2Fb?$x=1&y=%27"],
    ["https://service.example/b?c", "https://service.example/b?c"],
  ] as const)("%s leads to %s", ([url, expected]) =>
    Effect.gen(function* () {
      const { httpClient, requests } = yield* using()
      yield* httpClient.get(url)
      yield* httpClient.get(url, { urlParams: { q: "a b" } })
      expect(requests.map(({ url }) => url)).toEqual([
        expected,
        `${expected}${expected.includes("?") ? "&" : "?"}q=a+b`,
      ])
    }),
  )

  it.effect.each([
    "https://other.example/",
    "//other.example/",
    "/\\other.example/",
    "https://a@service.example/",
    "file:///a",
    "apps",
    "\\apps",
    "https:apps",
    "?a",
    "",
    "/apps/..",
    "/apps/%2e%2E?a",
    "/apps/../users",
    "https://service.example/v1/apps\\.\\",
  ])("of another origin or path, %s, fails without a request", (url) =>
    Effect.gen(function* () {
      const { httpClient, requests } = yield* using()
      expect((yield* outcome(httpClient.get(url))).reason).toMatchObject({ _tag: "Link" })
      expect(requests).toEqual([])
    }),
  )
})

describe("headers and bodies", () => {
  it.effect("of the caller win over defaults, but not over the credential and the connection", () =>
    Effect.gen(function* () {
      const { httpClient, requests } = yield* using()
      const names = "x-api-token Accept user-agent Content-Length host connection Transfer-Encoding If-Match"
      const headers = Object.fromEntries(names.split(" ").map((name) => [name, "own"]))
      const merge = HttpBody.text(`{"a":1}`, "application/merge-patch+json")
      yield* httpClient.del("/a", { headers, body: merge })
      yield* httpClient.get("/a")
      expect(requests).toMatchObject([{ method: "DELETE", body: `{"a":1}` }, { method: "GET" }])
      expect(requests.map(({ headers }) => ({ ...headers }))).toEqual([
        {
          accept: "own",
          "user-agent": "own",
          "if-match": "own",
          "content-type": "application/merge-patch+json",
          "content-length": "7",
          "x-api-token": "hidden-0",
        },
        { accept: "application/json", "x-api-token": "hidden-0" },
      ])
    }).pipe(Effect.provideService(HttpClient.TracerPropagationEnabled, false)),
  )

  it.effect("a stream is sent once, also after a 401 and a 429", () =>
    Effect.gen(function* () {
      for (const code of [401, 429]) {
        const renewable = Credential.bearer(Effect.succeed(Redacted.make("token")))
        const { httpClient, requests } = yield* using({ credential: renewable }, () => status(code))
        yield* outcome(httpClient.post("/a", { body: HttpBody.stream(Stream.make(new Uint8Array(1))) }))
        expect(requests).toHaveLength(1)
      }
    }),
  )
})

describe("a response", () => {
  it.effect("has status, headers, cookies, URL and body", () =>
    Effect.gen(function* () {
      const headers = { "set-cookie": "a=b; Path=/", location: "/done", "content-type": "text/plain" }
      const { httpClient } = yield* using({}, () => new Response("ü\0", { status: 202, headers }))
      const response = yield* httpClient.get("/a", { urlParams: { b: "c" } })
      expect(response).toMatchObject({ status: 202, url: "https://service.example/v1/a?b=c" })
      expect(response.headers).toMatchObject({ location: "/done", "content-type": "text/plain" })
      expect(Cookies.toRecord(response.cookies)).toEqual({ a: "b" })
      expect(yield* response.text).toBe("ü\0")
      expect(new Uint8Array(yield* response.arrayBuffer)).toEqual(new TextEncoder().encode("ü\0"))
    }),
  )

  it.effect("prints no secret, also in the error of a body that is not JSON", () =>
    Effect.gen(function* () {
      const { httpClient } = yield* using({}, (_, { headers }) => new Response(headers["x-api-token"]))
      const secrets = [Redacted.make("hidden-1")]
      const options = { urlParams: { a: "hidden-0", b: Redacted.make("hidden-0") }, headers: { "x-own": "hidden-0" } }
      for (const isUrlSecret of [false, true]) {
        const client = httpClient.withOptions({ isUrlSecret, secrets })
        const response = yield* client.post("/hidden-1", { ...options, body: HttpBody.text("hidden-0") })
        const error = yield* Effect.flip(response.json)
        expect(error).toMatchObject({ reason: { _tag: "DecodeError" } })
        for (const shown of [printed(response), printed(error)]) expect(shown).not.toMatch(/hidden-\d/)
      }
    }),
  )

  it.effect.each([100, 600, 999])("cannot have the status %d, which the Fetch standard does not have", (status) =>
    Effect.gen(function* () {
      const odd = Object.defineProperty(new Response(), "status", { value: status })
      const { httpClient } = yield* using({}, () => odd)
      const accepting = httpClient.withOptions({ accepts: () => true })
      expect((yield* outcome(accepting.get("/a"))).reason).toMatchObject({ _tag: "ServiceFailure", status })
    }),
  )

  it.effect("to HEAD, with 204 and with 304 has no body, whatever its length", () =>
    Effect.gen(function* () {
      const large = { "content-length": "1000" }
      const { httpClient } = yield* using({ maxBodyBytes: 10 }, (n) =>
        n === 3 ? status(204) : new Response(null, { headers: large, status: n === 1 ? 200 : 304 }),
      )
      const unchanged = httpClient.withOptions({ accepts: (status) => status === 304 })
      for (const response of [yield* httpClient.head("/a"), yield* unchanged.get("/a")])
        expect([response.headers["content-length"], yield* response.text]).toEqual(["1000", ""])
      expect((yield* httpClient.del("/a")).status).toBe(204)
    }),
  )

  it.effect("succeeds from 200 to 299, or as the options say, after the retries", () =>
    Effect.gen(function* () {
      const results: Array<string | number> = []
      for (const code of [200, 299, 300, 404, 503]) {
        const { httpClient, requests } = yield* using({}, () => status(code))
        const accepting = httpClient.withOptions({ accepts: (status) => status === 503 })
        for (const client of [httpClient, accepting]) {
          const { result } = yield* outcome(client.get("/a"))
          results.push(result._tag === "Success" ? result.success.status : result.failure.reason._tag)
        }
        if (code === 503) expect(requests).toHaveLength(8)
      }
      const failure = "ServiceFailure"
      expect(results).toEqual([200, failure, 299, failure, failure, failure, "NotFound", "NotFound", failure, 503])
    }),
  )

  it.effect("is decoded by a schema with services", () =>
    Effect.gen(function* () {
      class Prefix extends Context.Service<Prefix, string>()("Prefix") {}
      const Name = Schema.String.pipe(
        Schema.decodeTo(Schema.String, {
          decode: SchemaGetter.transformEffect((name: string) => Effect.map(Prefix, (prefix) => prefix + name)),
          encode: SchemaGetter.passthrough<string>(),
        }),
      )
      const { httpClient } = yield* using({}, () => Response.json({ name: "a" }))
      const decoded = httpClient
        .get("/a")
        .pipe(Effect.flatMap(HttpClientResponse.schemaBodyJson(Schema.Struct({ name: Name }))))
      expect(yield* Effect.provideService(decoded, Prefix, "x-")).toEqual({ name: "x-a" })
    }),
  )
})

describe("options of a client", () => {
  const redirect = new Response("moved", { status: 307, headers: { location: "/b" } })

  it.effect("override those of the client that it is made of, one by one", () =>
    Effect.gen(function* () {
      const { httpClient } = yield* using({}, () => status(404))
      const named = httpClient.withOptions({ operation: "Thing.read" })
      const accepting = named.withOptions({ operation: "Thing.find", accepts: (status) => status === 404 })
      const mapped = HttpClient.mapRequest(accepting, HttpClientRequest.setHeader("a", "b"))
      for (const client of [accepting, mapped, accepting.withOptions({ operation: "Thing.search" })])
        expect((yield* client.get("/a")).status).toBe(404)
      const { error } = yield* outcome(named.get("/a"))
      expect(error).toMatchObject({ operation: "Thing.read", message: expect.stringContaining("Thing.read: ") })
      expect((yield* outcome(httpClient.get("/a"))).error?.operation).toBe("GET")
    }),
  )

  it.effect("keep a secret URL secret, also if a later option says otherwise", () =>
    Effect.gen(function* () {
      const { httpClient } = yield* using()
      const secret = httpClient.withOptions({ isUrlSecret: true })
      for (const isUrlSecret of [false, undefined]) {
        const response = yield* secret.withOptions({ operation: "Thing.read", isUrlSecret }).get("/hidden")
        expect(response.request.url).toBe("https://service.example")
      }
    }),
  )

  it.effect("send nothing with a secret that was wiped", () =>
    Effect.gen(function* () {
      const { httpClient, requests } = yield* using()
      const wiped = Redacted.make("secret")
      Redacted.wipeUnsafe(wiped)
      for (const send of [
        httpClient.withOptions({ secrets: [wiped] }).get("/a"),
        httpClient.get("/a", { urlParams: { a: wiped } }),
      ])
        expect((yield* outcome(send)).reason).toMatchObject({ _tag: "Credential", problem: "wiped" })
      expect(requests).toHaveLength(0)
    }),
  )

  it.effect("return a redirect as it is", () =>
    Effect.gen(function* () {
      const { httpClient, requests } = yield* using({}, () => redirect)
      const manual = httpClient.withOptions({ redirect: "manual", accepts: (status) => status === 307 })
      const response = yield* manual.post("/a")
      expect([response.status, response.headers["location"]]).toEqual([307, "/b"])
      expect(requests).toHaveLength(1)
    }),
  )

  it("cannot be set where they would have no effect", () => {
    expectTypeOf<ReturnType<typeof mapped>>().not.toHaveProperty("withOptions")
    expectTypeOf<Request.Client>().toExtend<HttpClient.HttpClient.With<RequestError.RequestError>>()
  })

  it.effect("reach neither the request that fetches a credential nor one of another client in `transformClient`", () =>
    Effect.gen(function* () {
      const other = yield* using({ baseUrl: "https://other.example" }, () => status(404))
      const accepting = { accepts: () => true }
      const secret = Effect.as(other.httpClient.get("/token"), Redacted.make("token"))
      const { httpClient } = yield* using({ credential: Credential.bearer(secret) })
      expect((yield* outcome(httpClient.withOptions(accepting).get("/a"))).reason).toMatchObject({ _tag: "Credential" })
      const sign = HttpClient.mapRequestEffect((request: HttpClientRequest.HttpClientRequest) =>
        Effect.as(Effect.mapError(other.httpClient.get("/sign"), toHttpClientError(request)), request),
      )
      const signed = yield* using({ transformClient: sign })
      expect((yield* outcome(signed.httpClient.withOptions(accepting).get("/a"))).reason).toMatchObject({
        _tag: "Transport",
      })
      expect(signed.requests).toHaveLength(0)
    }),
  )
})
