import { createHash } from "node:crypto"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ask } from "./client.js"
import { start as startSandbox } from "./service.js"

/** An OpenAPI document, with the fields that these tests read. */
interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security: unknown }>>>>
  readonly components: { readonly securitySchemes: unknown }
}

/** A sandbox, and its documents. */
const start = (options: Parameters<typeof startSandbox>[0] = {}) =>
  Effect.map(startSandbox(options), (sandbox) => {
    const document = (path: string) =>
      Effect.map(Effect.orDie(ask(sandbox.baseUrl + path)), ({ body }) => JSON.parse(body) as Document)
    return { ...sandbox, document }
  })

const shapes = ({ paths }: Document): ReadonlyArray<string> =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )

describe("the document of health events", () => {
  it.live.each(["Vendor", "Acme"])("contains the documented operations, with the vendor %s in their paths", (vendor) =>
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
})

describe("the documents", () => {
  it.live("contain only operations that require a token", () =>
    Effect.gen(function* () {
      const { baseUrl, document } = yield* start()
      const authorizationUrl = `${baseUrl}/common/oauth2/authorize`
      const scopes = { user_impersonation: expect.stringMatching(/./) }
      for (const [path, scheme, security] of [
        ["/v0.1/openapi.json", { APIToken: { type: "apiKey", name: "X-API-Token", in: "header" } }, { APIToken: [] }],
        [
          "/health/openapi.json",
          { platform_auth: { type: "oauth2", flows: { implicit: { authorizationUrl, scopes } } } },
          { platform_auth: ["user_impersonation"] },
        ],
      ] as const) {
        const described = yield* document(path)
        expect(described.openapi).toBe("3.1.0")
        expect(described.components.securitySchemes).toEqual(scheme)
        for (const operation of Object.values(described.paths).flatMap((methods) => Object.values(methods)))
          expect(operation.security).toEqual([security])
      }
    }),
  )
})

describe("the interactive page", () => {
  it.live.each([
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

  it.live("receives the token of the implicit flow", () =>
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
})
