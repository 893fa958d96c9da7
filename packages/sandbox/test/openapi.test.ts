import { createHash } from "node:crypto"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "@effect/vitest"
import { ApiVersion } from "@vigil/health-schema"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
// Internal, because nothing public lists the served operations.
import { operations } from "../src/internal/appmgmt/operations.js"
import { ask } from "./client.js"
import { start as startSandbox } from "./service.js"

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
}

interface Operation {
  readonly tags: ReadonlyArray<string>
  readonly summary: string
  readonly description: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: unknown
  readonly security: unknown
  readonly responses: Readonly<Record<string, unknown>>
}

/** An OpenAPI document, with the fields that these tests read. */
interface Document {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly securitySchemes: unknown; readonly schemas: Readonly<Record<string, object>> }
}

/** A sandbox, its documents, and values of path parameters. */
const start = (options: Parameters<typeof startSandbox>[0] = {}) =>
  Effect.map(startSandbox(options), (sandbox) => {
    const { baseUrl, world } = sandbox
    const document = (path: string) =>
      Effect.map(Effect.orDie(ask(baseUrl + path)), ({ body }) => JSON.parse(body) as Document)
    const known = world.events.find(({ subscriptions }) => subscriptions.includes(world.subscriptions[0].id))
    const parameters: Readonly<Record<string, string>> = {
      owner: "ada",
      app: "atlas",
      email: encodeURIComponent("ops+alerts@vigil.example"),
      subscriptionId: world.subscriptions[0].id,
      trackingId: known?.event.name ?? "",
      resourceUri: encodeURIComponent(world.resources[0]?.uri.slice(1) ?? ""),
    }
    const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? "?")
    return { ...sandbox, document, fill }
  })

const shapes = ({ paths }: Document): ReadonlyArray<string> =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )

const operationsOf = ({ paths }: Document): ReadonlyArray<Operation> => Object.values(paths).flatMap(Object.values)

const references = (document: Document): ReadonlyArray<string> =>
  JSON.stringify(document).match(/#\/components\/schemas\/[^"]+/g) ?? []

describe("the document of app management", () => {
  it.scopedLive("contains exactly the served operations", () =>
    Effect.gen(function* () {
      const { document } = yield* start()
      const served = operations.map(
        ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, (_, name: string) => `{${name}}`)}`,
      )
      expect(shapes(yield* document("/v0.1/openapi.json")).toSorted()).toEqual(served.toSorted())
    }),
  )

  it.scopedLive("contains only paths that require a token", () =>
    Effect.gen(function* () {
      const { apiToken, baseUrl, document, fill } = yield* start()
      const described = yield* document("/v0.1/openapi.json")
      expect(described.components.securitySchemes).toEqual({
        APIToken: { type: "apiKey", name: "X-API-Token", in: "header" },
      })
      const bodies: Readonly<Record<string, string>> = {
        PATCH: "{}",
        POST: `{"user_email":"zoe?&=#@vigil.example","permissions":["viewer"]}`,
      }
      for (const shape of shapes(described)) {
        const [method = "", path = ""] = shape.split(" ")
        expect(described.paths[path]?.[method.toLowerCase()]?.security).toEqual([{ APIToken: [] }])
        const body = bodies[method]
        const send = (headers: Record<string, string>) =>
          ask(baseUrl + fill(path), { method, headers, ...(body === undefined ? {} : { body }) })
        expect((yield* send({})).status).toBe(401)
        expect([200, 201, 204]).toContain((yield* send({ "X-API-Token": Redacted.value(apiToken) })).status)
      }
    }),
  )
})

describe("the document of health events", () => {
  it.scopedLive.each(["Vendor", "Acme"])(
    "contains the documented operations, with the vendor %s in their paths",
    (vendor) =>
      Effect.gen(function* () {
        const { document } = yield* start({ vendor })
        const suffix = `/providers/${vendor}.ResourceHealth/events`
        expect(shapes(yield* document("/health/openapi.json"))).toEqual([
          `GET /subscriptions/{subscriptionId}${suffix}`,
          `GET /{resourceUri}${suffix}`,
          `GET ${suffix}`,
          `GET /subscriptions/{subscriptionId}${suffix}/{trackingId}`,
          `POST /subscriptions/{subscriptionId}${suffix}/{trackingId}/fetchEventDetails`,
          `GET /subscriptions/{subscriptionId}${suffix}/{trackingId}/impactedResources`,
          `POST /subscriptions/{subscriptionId}${suffix}/{trackingId}/listSecurityAdvisoryImpactedResources`,
        ])
      }),
  )

  it.scopedLive("contains the query parameters of each operation, and requires only the version", () =>
    Effect.gen(function* () {
      const { document } = yield* start()
      const queries = operationsOf(yield* document("/health/openapi.json")).map(({ parameters = [] }) =>
        parameters.filter((parameter) => parameter.in === "query"),
      )
      const listParameters = ["$filter", "$skipToken", "api-version"]
      const timedListParameters = [...listParameters, "queryStartTime"]
      const eventParameters = ["$filter", "api-version", "queryStartTime"]
      expect(queries.map((all) => all.map(({ name }) => name).toSorted())).toEqual([
        timedListParameters,
        listParameters,
        timedListParameters,
        eventParameters,
        ["api-version"],
        listParameters,
        listParameters,
      ])
      for (const { description, name, required } of queries.flat()) {
        expect(required).toBe(name === "api-version")
        expect(description).toMatch(/./)
      }
    }),
  )

  it.scopedLive("contains only paths that require a token", () =>
    Effect.gen(function* () {
      const { authorization, baseUrl, document, fill } = yield* start()
      const described = yield* document("/health/openapi.json")
      const authorizationUrl = `${baseUrl}/common/oauth2/authorize`
      expect(described.components.securitySchemes).toEqual({
        platform_auth: {
          type: "oauth2",
          flows: { implicit: { authorizationUrl, scopes: { user_impersonation: expect.stringMatching(/./) } } },
        },
      })
      expect((yield* ask(authorizationUrl)).status).toBe(400)
      for (const shape of shapes(described)) {
        const [method = "", path = ""] = shape.split(" ")
        expect(described.paths[path]?.[method.toLowerCase()]?.security).toEqual([
          { platform_auth: ["user_impersonation"] },
        ])
        const address = `${baseUrl}${fill(path)}?api-version=2025-05-01`
        expect((yield* ask(address, { method })).status).toBe(401)
        expect((yield* ask(address, { method, headers: { authorization } })).status).toBe(200)
      }
    }),
  )
})

describe("a document", () => {
  it.scopedLive("lists the possible status codes of each operation", () =>
    Effect.gen(function* () {
      const { document } = yield* start()
      const statuses = (document: Document) =>
        operationsOf(document).map(({ responses }) => Object.keys(responses).join(" "))
      const [apps, health] = yield* Effect.all([document("/v0.1/openapi.json"), document("/health/openapi.json")])
      expect(statuses(apps)).toEqual([
        "200 401 403",
        "200 401 403",
        "200 401 403 404",
        "200 400 401 403 404 411 413",
        "200 401 403 404",
        "201 400 401 403 404 409 411 413",
        "204 401 403 404 409",
      ])
      expect(statuses(health)).toEqual([
        "200 400 401 404",
        "200 400 401 404",
        "200 400 401",
        "200 400 401 404",
        "200 400 401 403 404",
        "200 400 401 404",
        "200 400 401 403 404",
      ])
      for (const described of [apps, health]) {
        expect(described.components.schemas).toHaveProperty("Error")
        expect(JSON.stringify(described)).not.toContain("HttpApiDecodeError")
      }
    }),
  )

  it.scopedLive.each(["/v0.1/openapi.json", "/health/openapi.json"])(
    "needs no token, and has valid references: %s",
    (path) =>
      Effect.gen(function* () {
        const { baseUrl, document } = yield* start()
        expect((yield* ask(baseUrl + path)).headers.get("content-type")).toContain("application/json")
        const described = yield* document(path)
        expect(described.openapi).toBe("3.1.0")
        expect(references(described).length).toBeGreaterThan(0)
        for (const reference of references(described))
          expect(Object.keys(described.components.schemas)).toContain(reference.slice("#/components/schemas/".length))
      }),
  )
})

/** Every object of a schema, at any depth. */
const objects = (schema: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  if (typeof schema !== "object" || schema === null) return []
  const nested = Object.values(schema).flatMap(objects)
  return "type" in schema && schema.type === "object" ? [{ ...schema }, ...nested] : nested
}

describe("the metadata of a document", () => {
  it.scopedLive.each(["/v0.1/openapi.json", "/health/openapi.json"])(
    "describes the server, the license, tags and operations, and allows further fields: %s",
    (path) =>
      Effect.gen(function* () {
        const { baseUrl, document } = yield* start()
        const described = yield* document(path)
        expect(described).toMatchObject({
          servers: [{ url: baseUrl }],
          info: {
            description: expect.stringMatching(/./),
            contact: { name: "Vigil", url: expect.stringMatching(/^https:/) },
            license: { name: "MIT", url: expect.stringMatching(/^https:/) },
          },
        })
        expect(described.tags.length).toBeGreaterThan(0)
        for (const { description } of described.tags) expect(description).toMatch(/./)
        const tags = described.tags.map(({ name }) => name)
        for (const { description, summary, tags: own } of operationsOf(described)) {
          expect(summary).toMatch(/./)
          expect(description).toMatch(/./)
          expect(own).toHaveLength(1)
          expect(tags).toEqual(expect.arrayContaining([...own]))
        }
        const schemas = objects(described.components.schemas)
        expect(schemas.length).toBeGreaterThan(0)
        for (const schema of schemas) expect(schema).toHaveProperty("additionalProperties", true)
      }),
  )

  it.scopedLive("includes the name and the versions of its API", () =>
    Effect.gen(function* () {
      const { document } = yield* start()
      expect((yield* document("/v0.1/openapi.json")).info).toMatchObject({ title: "App management", version: "v0.1" })
      expect((yield* document("/health/openapi.json")).info).toMatchObject({
        title: "Health events",
        version: ApiVersion.all.join(", "),
      })
    }),
  )

  it.scopedLive.each(["/v0.1/openapi.json", "/health/openapi.json"])(
    "includes the parameters of each path, the request bodies, and a description of each response: %s",
    (documentPath) =>
      Effect.gen(function* () {
        const { document } = yield* start()
        const { paths } = yield* document(documentPath)
        for (const [path, methods] of Object.entries(paths))
          for (const [method, { parameters = [], requestBody, responses }] of Object.entries(methods)) {
            const schema = { type: "string" }
            expect(parameters.filter((parameter) => parameter.in === "path")).toEqual(
              Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => ({ name, in: "path", required: true, schema })),
            )
            const hasBody = documentPath.startsWith("/v0.1") && ["patch", "post"].includes(method)
            expect(requestBody).toEqual(
              hasBody ? { required: true, content: { "application/json": { schema: expect.any(Object) } } } : undefined,
            )
            for (const response of Object.values(responses))
              expect(response).toMatchObject({ description: expect.stringMatching(/^[A-Z]/) })
          }
      }),
  )

  it.scopedLive("uses the vendor in the name of the support field", () =>
    Effect.gen(function* () {
      const { document } = yield* start({ vendor: "Acme" })
      const text = JSON.stringify(yield* document("/health/openapi.json"))
      expect(text).toContain('"enableAcmeSupport":')
      expect(text).not.toContain("enableVendorSupport")
    }),
  )
})

describe("the interactive page", () => {
  it.scopedLive.each([
    ["/v0.1/docs", "/v0.1/openapi.json"],
    ["/health/docs", "/health/openapi.json"],
  ] as const)("at %s shows its document, and loads no external resources", ([path, documentPath]) =>
    Effect.gen(function* () {
      const { baseUrl, document } = yield* start()
      const { body, headers, status } = yield* ask(baseUrl + path)
      expect(status).toBe(200)
      expect(headers.get("content-type")).toContain("text/html")
      const [, shown = ""] = /<script id="swagger-spec" type="application\/json">([^<]*)<\/script>/.exec(body) ?? []
      expect(JSON.parse(shown)).toEqual(yield* document(documentPath))
      const policy = headers.get("content-security-policy")
      expect(policy).toBe(
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      expect(headers.get("referrer-policy")).toBe("no-referrer")
      expect(body.replaceAll(/<script[^>]*>[\s\S]*?<\/script>|<style>[\s\S]*?<\/style>/g, "")).not.toMatch(/src=|href=/)
    }),
  )

  it.scopedLive("receives the token of the implicit flow", () =>
    Effect.gen(function* () {
      const { accessToken, baseUrl } = yield* start()
      const redirectUrl = `${baseUrl}/health/oauth2-redirect.html`
      const query = new URLSearchParams({
        response_type: "token",
        client_id: "page",
        redirect_uri: redirectUrl,
        state: "s1",
        prompt: "none",
      }).toString()
      const { headers } = yield* ask(`${baseUrl}/common/oauth2/authorize?${query}`)
      const location = new URL(headers.get("location") ?? "")
      const page = yield* ask(location.origin + location.pathname)
      const [, script = ""] = /<script>([\s\S]*)<\/script>/.exec(page.body) ?? []
      const digest = createHash("sha256").update(script).digest("base64")
      expect(page.headers.get("content-security-policy")).toContain(`; script-src 'sha256-${digest}';`)
      const responses: Array<{ isValid: boolean; token: Record<string, string>; auth: string }> = []
      for (const state of ["s1", "s2"]) {
        const swaggerUIRedirectOauth2 = { auth: "auth", state, redirectUrl, callback: responses.push.bind(responses) }
        const window = { opener: { swaggerUIRedirectOauth2 }, close: () => undefined }
        runInNewContext(script, { window, location, URLSearchParams })
      }
      const token = { access_token: Redacted.value(accessToken), token_type: "Bearer", state: "s1" }
      expect(responses).toMatchObject([
        { isValid: true, auth: "auth", redirectUrl, token },
        { isValid: false, token },
      ])
    }),
  )

  it.scopedLive("allows only GET", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* start()
      expect((yield* ask(`${baseUrl}/v0.1/docs`, { method: "HEAD" })).status).toBe(200)
      for (const path of ["/v0.1/docs", "/health/docs"]) {
        const { headers, status } = yield* ask(baseUrl + path, { method: "DELETE" })
        expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"])
      }
    }),
  )
})
