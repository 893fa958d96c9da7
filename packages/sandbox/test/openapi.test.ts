import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
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
      const provider = `/providers/${vendor}.ResourceHealth`
      const serviceGroup = `/providers/Microsoft.Management/serviceGroups/{serviceGroupName}${provider}`
      const suffix = `${provider}/events`
      const event = `${suffix}/{trackingId}`
      const statuses = "availabilityStatuses"
      expect(shapes(yield* document("/health/openapi.json"))).toEqual([
        `GET ${serviceGroup}/events`,
        `GET ${serviceGroup}/${statuses}`,
        `GET /subscriptions/{subscriptionId}${suffix}`,
        `GET /{resourceUri}${suffix}`,
        `GET ${suffix}`,
        ...["/subscriptions/{subscriptionId}", ""].flatMap((scope) => [
          `GET ${scope}${event}`,
          `POST ${scope}${event}/fetchEventDetails`,
          `GET ${scope}${event}/impactedResources`,
          `GET ${scope}${event}/impactedResources/{name}`,
          `POST ${scope}${event}/listSecurityAdvisoryImpactedResources`,
        ]),
        `POST /subscriptions/{subscriptionId}${event}/fetchBillingCommunicationDetails`,
        `GET /subscriptions/{subscriptionId}${provider}/${statuses}`,
        `GET /subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}${provider}/${statuses}`,
        `GET /{resourceUri}${provider}/${statuses}`,
        `GET /{resourceUri}${provider}/${statuses}/current`,
        `GET /{resourceUri}${provider}/childAvailabilityStatuses`,
        `GET /{resourceUri}${provider}/childAvailabilityStatuses/current`,
        `GET /{resourceUri}${provider}/childResources`,
        `GET ${provider}/emergingIssues`,
        `GET ${provider}/emergingIssues/{issueName}`,
        `GET ${provider}/metadata`,
        `GET ${provider}/metadata/{name}`,
        `GET ${provider}/operations`,
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
