/**
 * Every operation of the public contract: the official client, ours and plain HTTP get the same entries of a sandbox, and each request and
 * response is as the contract declares.
 */
import type { MicrosoftResourceHealth } from "@azure/arm-resourcehealth"
import { describe, expect, it } from "@effect/vitest"
import * as AvailabilityClient from "@vigil/availability-client/AvailabilityClient"
import * as ResourceGroup from "@vigil/availability-client/ResourceGroup"
import * as Scope from "@vigil/availability-client/Scope"
import * as Credential from "@vigil/core-http/Credential"
import * as ResourceUri from "@vigil/health-listing/ResourceUri"
import * as SubscriptionId from "@vigil/health-listing/SubscriptionId"
import * as Sandbox from "@vigil/sandbox/Sandbox"
import { check, type Exchange, operations, pageable, recordingFetch } from "@vigil/testing/Contract"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { collect, officialOf } from "./contenders.js"

interface Entry {
  readonly id?: string | null
  readonly name?: string | null
}

/** What a case needs of a world. */
interface Stage {
  readonly subscription: string
  readonly resource: string
  readonly parent: string
  readonly event: string
  readonly advisory: string
  readonly bill: string
  readonly impacted: string
}

type Calls = Stream.Stream<Entry, unknown> | Effect.Effect<Entry, unknown>

interface Case {
  readonly method?: "POST"
  /** Without the vendor's part, `/providers/Microsoft.ResourceHealth`, which is `~`. */
  readonly path: (stage: Stage) => string
  readonly ours?: (client: AvailabilityClient.Service, stage: Stage) => Calls
  /** The official client has no method for billing details. */
  readonly official?: (client: MicrosoftResourceHealth, stage: Stage) => AsyncIterable<Entry> | Promise<unknown>
}

const ofEvent =
  (path: string) =>
  ({ event, subscription }: Stage) =>
    `/subscriptions/${subscription}~/events/${event}${path}`

/** The official client adds a leading slash to the URI of a resource. */
const bare = (uri: string) => uri.slice(1)
const child = ({ parent }: Stage) => `${parent}/databases/main`
const expand = "recommendedactions"
const expanded = { recommendedActions: true }

const cases: Readonly<Record<string, Case>> = {
  AvailabilityStatuses_ListBySubscriptionId: {
    path: ({ subscription }) => `/subscriptions/${subscription}~/availabilityStatuses`,
    ours: ({ list }, { subscription }) => list(Scope.subscription(SubscriptionId.make(subscription)), expanded),
    official: ({ availabilityStatuses }) => availabilityStatuses.listBySubscriptionId({ expand }),
  },
  AvailabilityStatuses_ListByResourceGroup: {
    path: ({ subscription }) => `/subscriptions/${subscription}/resourceGroups/production-1~/availabilityStatuses`,
    ours: ({ list }, { subscription }) =>
      list(Scope.resourceGroup(SubscriptionId.make(subscription), ResourceGroup.make("production-1")), expanded),
    official: ({ availabilityStatuses }) => availabilityStatuses.listByResourceGroup("production-1", { expand }),
  },
  AvailabilityStatuses_List: {
    path: ({ resource }) => `${resource}~/availabilityStatuses`,
    ours: ({ list }, { resource }) => list(Scope.resource(ResourceUri.make(resource)), expanded),
    official: ({ availabilityStatuses }, { resource }) => availabilityStatuses.list(bare(resource), { expand }),
  },
  AvailabilityStatuses_GetByResource: {
    path: ({ resource }) => `${resource}~/availabilityStatuses/current`,
    ours: ({ current }, { resource }) => current(ResourceUri.make(resource), expanded),
    official: ({ availabilityStatuses }, { resource }) =>
      availabilityStatuses.getByResource(bare(resource), { expand }),
  },
  ChildAvailabilityStatuses_List: {
    path: (stage) => `${child(stage)}~/childAvailabilityStatuses`,
    ours: ({ list }, stage) => list(Scope.childStatuses(ResourceUri.make(child(stage))), expanded),
    official: ({ childAvailabilityStatuses }, stage) => childAvailabilityStatuses.list(bare(child(stage)), { expand }),
  },
  ChildAvailabilityStatuses_GetByResource: {
    path: (stage) => `${child(stage)}~/childAvailabilityStatuses/current`,
    ours: ({ currentOfChild }, stage) => currentOfChild(ResourceUri.make(child(stage))),
    official: ({ childAvailabilityStatuses }, stage) => childAvailabilityStatuses.getByResource(bare(child(stage))),
  },
  ChildResources_List: {
    path: ({ parent }) => `${parent}~/childResources`,
    ours: ({ list }, { parent }) => list(Scope.children(ResourceUri.make(parent))),
    official: ({ childResources }, { parent }) => childResources.list(bare(parent)),
  },
  EmergingIssues_List: {
    path: () => "~/emergingIssues",
    official: ({ emergingIssues }) => emergingIssues.list(),
  },
  EmergingIssues_Get: {
    path: () => "~/emergingIssues/default",
    official: ({ emergingIssues }) => emergingIssues.get("default"),
  },
  Metadata_List: { path: () => "~/metadata", official: ({ metadata }) => metadata.list() },
  Metadata_GetEntity: { path: () => "~/metadata/region", official: ({ metadata }) => metadata.getEntity("region") },
  Operations_List: { path: () => "~/operations", official: ({ operations }) => operations.list() },
  Events_ListBySubscriptionId: {
    path: ({ subscription }) => `/subscriptions/${subscription}~/events`,
    official: ({ eventsOperations }) => eventsOperations.listBySubscriptionId(),
  },
  Events_ListByTenantId: {
    path: () => "~/events",
    official: ({ eventsOperations }) => eventsOperations.listByTenantId(),
  },
  Events_ListBySingleResource: {
    path: ({ resource }) => `${resource}~/events`,
    official: ({ eventsOperations }, { resource }) => eventsOperations.listBySingleResource(bare(resource)),
  },
  Event_GetBySubscriptionIdAndTrackingId: {
    path: ofEvent(""),
    official: ({ eventOperations }, { event }) => eventOperations.getBySubscriptionIdAndTrackingId(event),
  },
  Event_GetByTenantIdAndTrackingId: {
    path: ({ event }) => `~/events/${event}`,
    official: ({ eventOperations }, { event }) => eventOperations.getByTenantIdAndTrackingId(event),
  },
  Event_fetchDetailsBySubscriptionIdAndTrackingId: {
    method: "POST",
    path: ofEvent("/fetchEventDetails"),
    official: ({ eventOperations }, { event }) => eventOperations.fetchDetailsBySubscriptionIdAndTrackingId(event),
  },
  Event_fetchDetailsByTenantIdAndTrackingId: {
    method: "POST",
    path: ({ event }) => `~/events/${event}/fetchEventDetails`,
    official: ({ eventOperations }, { event }) => eventOperations.fetchDetailsByTenantIdAndTrackingId(event),
  },
  Event_fetchBilllingCommunicationDetailsBySubscriptionIdAndTrackingId: {
    method: "POST",
    path: ({ bill, subscription }) => `/subscriptions/${subscription}~/events/${bill}/fetchBillingCommunicationDetails`,
  },
  ImpactedResources_ListBySubscriptionIdAndEventId: {
    path: ofEvent("/impactedResources"),
    official: ({ impactedResources }, { event }) => impactedResources.listBySubscriptionIdAndEventId(event),
  },
  ImpactedResources_ListByTenantIdAndEventId: {
    path: ({ event }) => `~/events/${event}/impactedResources`,
    official: ({ impactedResources }, { event }) => impactedResources.listByTenantIdAndEventId(event),
  },
  ImpactedResources_Get: {
    path: (stage) => ofEvent(`/impactedResources/${stage.impacted}`)(stage),
    official: ({ impactedResources }, { event, impacted }) => impactedResources.get(event, impacted),
  },
  ImpactedResources_GetByTenantId: {
    path: ({ event, impacted }) => `~/events/${event}/impactedResources/${impacted}`,
    official: ({ impactedResources }, { event, impacted }) => impactedResources.getByTenantId(event, impacted),
  },
  SecurityAdvisoryImpactedResources_ListBySubscriptionIdAndEventId: {
    method: "POST",
    path: ({ advisory, subscription }) =>
      `/subscriptions/${subscription}~/events/${advisory}/listSecurityAdvisoryImpactedResources`,
    official: ({ securityAdvisoryImpactedResources }, { advisory }) =>
      securityAdvisoryImpactedResources.listBySubscriptionIdAndEventId(advisory),
  },
  SecurityAdvisoryImpactedResources_ListByTenantIdAndEventId: {
    method: "POST",
    path: ({ advisory }) => `~/events/${advisory}/listSecurityAdvisoryImpactedResources`,
    official: ({ securityAdvisoryImpactedResources }, { advisory }) =>
      securityAdvisoryImpactedResources.listByTenantIdAndEventId(advisory),
  },
}

const apiVersion = "2025-05-01"

/** Deviations that every list or event has. The contract test of health-client explains each. */
const allowed = new Set([
  "undeclared  $skipToken",
  "next page by GET",
  "undeclared  location",
  "null properties.header",
  "null properties.level",
  "date-time without a zone",
  "empty date-time",
])

const isPage = (body: unknown): body is { readonly value: ReadonlyArray<Entry>; readonly nextLink?: string } =>
  typeof body === "object" && body !== null && "value" in body

const keys = (entries: ReadonlyArray<Entry>) => entries.map(({ id, name }) => id ?? name)

/** A sandbox whose lists have several pages, and a function that sends a request and follows the links. */
const start = Effect.gen(function* () {
  const sandbox = yield* Sandbox.make({
    now: Date.UTC(2025, 1, 12, 9, 30),
    vendor: "Microsoft",
    resources: 120,
    pageSize: 1,
  })
  const headers = { authorization: `Bearer ${Redacted.value(sandbox.accessToken)}` }
  const read = (url: string, method: string): Effect.Effect<ReadonlyArray<Exchange>> =>
    Effect.gen(function* () {
      const response = yield* Effect.promise(() => fetch(url, { method, headers }))
      const text = yield* Effect.promise(() => response.text())
      const mediaType = response.headers.get("content-type")?.split(";")[0] ?? ""
      const body: unknown = JSON.parse(text)
      const rest = isPage(body) && body.nextLink !== undefined ? yield* read(body.nextLink, "GET") : []
      return [{ method, url, hasBody: false, status: response.status, mediaType, text }, ...rest]
    })
  const get = (path: string, method = "GET") => {
    const [before, after = ""] = path.split("~")
    const url = `${sandbox.baseUrl}${before}/providers/Microsoft.ResourceHealth${after}?api-version=${apiVersion}`
    return read(url, method)
  }
  return { ...sandbox, get }
})

const entriesOf = (exchanges: ReadonlyArray<Exchange>): ReadonlyArray<Entry> =>
  exchanges.flatMap(({ text }): ReadonlyArray<Entry> => {
    const body: unknown = JSON.parse(text)
    return isPage(body) ? body.value : [body as Entry]
  })

/** The first events and resources of the world that have what the operations return. */
const stageOf = Effect.fnUntraced(function* ({ get, world }: Effect.Success<typeof start>) {
  const [{ id: subscription }] = world.subscriptions
  const find = (eventType: string) =>
    world.events.find(
      ({ event, resources, subscriptions }) =>
        event.properties?.eventType === eventType &&
        subscriptions.includes(subscription) &&
        (eventType === "Billing" || resources.some((uri) => uri.includes(subscription))),
    )?.event.name ?? ""
  const event = find("ServiceIssue")
  const [impacted] = entriesOf(yield* get(`/subscriptions/${subscription}~/events/${event}/impactedResources`))
  const parent = world.resources.find(({ uri }) => uri.includes("Microsoft.Sql/servers/"))?.uri ?? ""
  return {
    subscription,
    resource: world.resources[0]?.uri ?? "",
    parent,
    event,
    advisory: find("SecurityAdvisory"),
    bill: find("Billing"),
    impacted: impacted?.name ?? "",
  }
})

const oursOf = ({ accessToken, baseUrl }: Sandbox.Service) =>
  AvailabilityClient.make({ baseUrl, credential: Credential.bearer(accessToken), vendor: "Microsoft" }).pipe(
    Effect.provide(FetchHttpClient.layer),
  )

const conforms = (operation: string, exchanges: ReadonlyArray<Exchange>, status = 200) => {
  for (const exchange of exchanges) {
    const found = check(exchange)
    expect([found.operation, exchange.status]).toEqual([operation, status])
    expect(found.deviations.filter((name) => !allowed.has(name))).toEqual(status === 200 ? [] : ["nested error"])
  }
}

describe("the contract", () => {
  it("has 26 operations, with a case for each", () => {
    expect(Object.keys(cases).toSorted()).toEqual(operations.toSorted())
    expect(operations).toHaveLength(26)
  })

  it.live.each(Object.entries(cases))("holds for %s, by plain HTTP and by both clients", ([operation, each]) =>
    Effect.gen(function* () {
      const service = yield* start
      const stage = yield* stageOf(service)
      const { method, official, ours, path } = each
      const plain = yield* service.get(path(stage), method)
      conforms(operation, plain)
      const entries = entriesOf(plain)
      expect(entries.length).toBeGreaterThan(0)
      // The contract makes a list of one entry pageable, too.
      if (pageable.includes(operation) && operation !== "EmergingIssues_List") expect(plain.length).toBeGreaterThan(1)
      if (ours !== undefined) {
        const sent: Array<Exchange> = []
        const calls = ours(yield* oursOf(service), stage)
        const found = Stream.isStream(calls) ? Stream.runCollect(calls) : Effect.map(calls, (entry) => [entry])
        const fetch = recordingFetch((exchange) => void sent.push(exchange))
        expect(keys(yield* Effect.provideService(found, FetchHttpClient.Fetch, fetch))).toEqual(keys(entries))
        expect(sent).toHaveLength(plain.length)
        conforms(operation, sent)
      }
      if (official === undefined) return
      const recorded: Array<Exchange> = []
      const client = officialOf(service, (exchange) => recorded.push(exchange))(stage.subscription, apiVersion)
      const result = official(client, stage)
      const theirs = yield* Symbol.asyncIterator in result
        ? collect(Stream.fromAsyncIterable(result, (error) => error))
        : Effect.map(
            Effect.promise(() => result),
            (body) => (isPage(body) ? body.value : [body as Entry]),
          )
      expect(keys(theirs)).toEqual(keys(entries))
      expect(recorded).toHaveLength(plain.length)
      conforms(operation, recorded)
    }),
  )

  it.live.each<readonly [operation: string, path: string]>([
    ["AvailabilityStatuses_ListBySubscriptionId", "/subscriptions/none~/availabilityStatuses"],
    ["AvailabilityStatuses_List", "/none~/availabilityStatuses"],
    ["AvailabilityStatuses_GetByResource", "/none~/availabilityStatuses/current"],
    ["ChildAvailabilityStatuses_List", "/none~/childAvailabilityStatuses"],
    ["ChildAvailabilityStatuses_GetByResource", "/none~/childAvailabilityStatuses/current"],
    ["ChildResources_List", "/none~/childResources"],
    ["Metadata_GetEntity", "~/metadata/none"],
    ["Event_GetByTenantIdAndTrackingId", "~/events/none"],
    ["ImpactedResources_GetByTenantId", "~/events/none/impactedResources/none"],
  ])("holds for %s of something unknown", ([operation, path]) =>
    Effect.gen(function* () {
      const { get } = yield* start
      conforms(operation, yield* get(path), 404)
    }),
  )
})
