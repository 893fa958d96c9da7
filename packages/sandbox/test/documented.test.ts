import { Ajv2020 } from "ajv/dist/2020.js"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ask } from "./client.js"
import { start } from "./service.js"

/** An OpenAPI document, with the fields that these tests read. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: object }
}

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, { readonly content?: { readonly "application/json": object } }>>
}

/** A request, the operation that it is for, and the status code of the response. */
type Case = readonly [operationId: string, method: string, path: string, status: number, options?: RequestInit]

/** Sends the requests, and checks each response against the document. */
const conform = (baseUrl: string, documentPath: string, cases: ReadonlyArray<Case>) =>
  Effect.gen(function* () {
    const document = JSON.parse((yield* ask(baseUrl + documentPath)).body) as Document
    const ajv = new Ajv2020({ strict: false }).addSchema(document, "document")
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
    )
    for (const [operationId, method, path, status, options = {}] of cases) {
      const operation = operations.find((other) => other.operationId === operationId)
      const response = yield* ask(baseUrl + path, { ...options, method })
      expect([operationId, path, response.status]).toEqual([operationId, path, status])
      expect(Object.keys(operation?.responses ?? {})).toContain(String(status))
      const content = operation?.responses[status]?.content
      if (content === undefined) expect(response.body).toBe("")
      else {
        const pointer = [
          "paths",
          operation?.path ?? "",
          method.toLowerCase(),
          "responses",
          status,
          "content",
          "application/json",
          "schema",
        ]
          .map((part) => encodeURIComponent(String(part).replaceAll("~", "~0").replaceAll("/", "~1")))
          .join("/")
        const valid = ajv.validate({ $ref: `document#/${pointer}` }, JSON.parse(response.body))
        expect([operationId, status, valid, ajv.errors]).toEqual([operationId, status, true, null])
      }
    }
    expect(new Set(cases.map(([operationId]) => operationId))).toEqual(
      new Set(operations.map(({ operationId }) => operationId)),
    )
  })

describe("the responses of both APIs", () => {
  it.live("conform to the OpenAPI document of app management", () =>
    Effect.gen(function* () {
      const { apiToken, baseUrl, tokens } = yield* start()
      const full = { "x-api-token": Redacted.value(apiToken) }
      const { value } = yield* tokens.create({ kind: "user", access: "read-only" })
      const readOnly = { "x-api-token": Redacted.value(value) }
      const atlas = "/v0.1/apps/ada/atlas"
      yield* conform(baseUrl, "/v0.1/openapi.json", [
        ["getUser", "GET", "/v0.1/user", 200, { headers: full }],
        ["getUser", "GET", "/v0.1/user", 401],
        ["listApps", "GET", "/v0.1/apps", 200, { headers: full }],
        ["getApp", "GET", atlas, 200, { headers: full }],
        ["getApp", "GET", "/v0.1/apps/fleet/dispatch", 200, { headers: full }],
        ["getApp", "GET", "/v0.1/apps/ada/nowhere", 404, { headers: full }],
        ["getApp", "GET", "/v0.1/apps/black-box/recorder", 403, { headers: full }],
        ["removeAppUser", "DELETE", `${atlas}/users/ops+alerts@vigil.example`, 204, { headers: full }],
        ["removeAppUser", "DELETE", `${atlas}/users/lin.wu@vigil.example`, 404, { headers: full }],
        ["removeAppUser", "DELETE", `${atlas}/users/ada@vigil.example`, 403, { headers: readOnly }],
        ["removeAppUser", "DELETE", `${atlas}/users/ada@vigil.example`, 409, { headers: full }],
      ])
    }),
  )

  it.live("conform to the OpenAPI document of health events, with the chosen vendor", () =>
    Effect.gen(function* () {
      const { authorization, baseUrl, first, provider, url, world } = yield* start({ vendor: "Acme", pageSize: 1_000 })
      const newest = "?api-version=2025-05-01"
      const target = (scope: string, rest: string) => `${provider(scope, rest)}${newest}`.slice(baseUrl.length)
      const uri = world.resources.find(({ service }) => service === "SQL Database")?.uri ?? ""
      const child = `${uri}/databases/main`
      const group = (name: string) => `/subscriptions/${first}/resourceGroups/${name}`
      const statuses = "/availabilityStatuses"
      const serviceGroup = (name: string, list: string) =>
        `/providers/Microsoft.Management/serviceGroups/${name}/providers/Acme.ResourceHealth/${list}?api-version=2026-08-01-preview`
      const path = (scope: string, rest: string) => url(scope, rest).slice(baseUrl.length)
      const subscription = (rest: string) => path(`/subscriptions/${first}`, rest)
      const authorized = { headers: { authorization } }
      const all = "&queryStartTime=1/1/2025"
      const known = world.events.find(({ subscriptions }) => subscriptions.includes(first))?.event.name ?? ""
      const ofTenant = world.events.find(({ subscriptions }) => subscriptions.length === 0)?.event.name ?? ""
      yield* conform(baseUrl, "/health/openapi.json", [
        ["listBySubscription", "GET", subscription(newest + all), 200, authorized],
        ["listBySubscription", "GET", subscription(`?api-version=2025-04-01${all}`), 200, authorized],
        ["listBySubscription", "GET", subscription(newest), 401],
        ["listBySubscription", "GET", subscription(""), 400, authorized],
        ["listBySubscription", "GET", subscription(`${newest}&$filter=x`), 400, authorized],
        ["listBySubscription", "GET", path("/subscriptions/none", newest), 404, authorized],
        ["listByResource", "GET", path(world.resources[0]?.uri ?? "", newest), 200, authorized],
        ["listByResource", "GET", path("/none", newest), 404, authorized],
        ["listByTenant", "GET", path("", newest), 200, authorized],
        ["listByServiceGroup", "GET", serviceGroup("everything", "events"), 200, authorized],
        ["listByServiceGroup", "GET", serviceGroup("none", "events"), 403, authorized],
        ["listStatusesByServiceGroup", "GET", serviceGroup("web-shop", "availabilityStatuses"), 200, authorized],
        ["getEvent", "GET", subscription(`/${known}${newest}`), 200, authorized],
        ["getEvent", "GET", subscription(`/none${newest}`), 404, authorized],
        ["getEvent", "GET", subscription(`/${known}${newest}&$filter=x`), 400, authorized],
        ["impactedResources", "GET", subscription(`/${known}/impactedResources${newest}`), 200, authorized],
        ["impactedResources", "GET", subscription(`/none/impactedResources${newest}`), 404, authorized],
        [
          "listSecurityAdvisoryImpactedResources",
          "POST",
          subscription(`/${known}/listSecurityAdvisoryImpactedResources${newest}`),
          200,
          authorized,
        ],
        ["fetchEventDetails", "POST", subscription(`/${known}/fetchEventDetails${newest}`), 200, authorized],
        ["fetchEventDetails", "POST", subscription(`/none/fetchEventDetails${newest}`), 404, authorized],
        ["getImpactedResource", "GET", subscription(`/${known}/impactedResources/none${newest}`), 404, authorized],
        ["getEventOfTenant", "GET", target("", `/events/${ofTenant}`), 200, authorized],
        ["fetchEventDetailsOfTenant", "POST", target("", `/events/${ofTenant}/fetchEventDetails`), 200, authorized],
        ["impactedResourcesOfTenant", "GET", target("", `/events/${ofTenant}/impactedResources`), 200, authorized],
        ["getImpactedResourceOfTenant", "GET", target("", `/events/${ofTenant}/impactedResources/x`), 404, authorized],
        [
          "listSecurityAdvisoryImpactedResourcesOfTenant",
          "POST",
          target("", `/events/${ofTenant}/listSecurityAdvisoryImpactedResources`),
          200,
          authorized,
        ],
        [
          "fetchBillingCommunicationDetails",
          "POST",
          target(`/subscriptions/${first}`, `/events/none/fetchBillingCommunicationDetails`),
          404,
          authorized,
        ],
        ["listStatusesBySubscription", "GET", target(`/subscriptions/${first}`, statuses), 200, authorized],
        ["listStatusesBySubscription", "GET", target("/subscriptions/none", statuses), 404, authorized],
        ["listStatusesByResourceGroup", "GET", target(group("production"), statuses), 200, authorized],
        ["listStatusesByResourceGroup", "GET", target(group("none"), statuses), 404, authorized],
        ["listStatusesByResource", "GET", target(uri, statuses), 200, authorized],
        ["listStatusesByResource", "GET", target("/none", statuses), 404, authorized],
        ["getStatus", "GET", target(uri, `${statuses}/current`), 200, authorized],
        ["getStatus", "GET", `${target(uri, `${statuses}/current`)}&$filter=x`, 400, authorized],
        ["listChildStatusesByResource", "GET", target(child, "/childAvailabilityStatuses"), 200, authorized],
        ["getChildStatus", "GET", target(child, "/childAvailabilityStatuses/current"), 200, authorized],
        ["getChildStatus", "GET", target(uri, "/childAvailabilityStatuses/current"), 404, authorized],
        ["listChildResources", "GET", target(uri, "/childResources"), 200, authorized],
        ["listEmergingIssues", "GET", target("", "/emergingIssues"), 200, authorized],
        ["getEmergingIssue", "GET", target("", "/emergingIssues/default"), 200, authorized],
        ["getEmergingIssue", "GET", target("", "/emergingIssues/none"), 404, authorized],
        ["listMetadata", "GET", target("", "/metadata"), 200, authorized],
        ["getMetadata", "GET", target("", "/metadata/region"), 200, authorized],
        ["getMetadata", "GET", target("", "/metadata/none"), 404, authorized],
        ["listOperations", "GET", target("", "/operations"), 200, authorized],
      ])
    }),
  )
})
