/**
 * Every operation of the public contract: the official client, ours and plain HTTP get the same entries of a sandbox, and each request and
 * response is as the contract declares.
 */
import type { MicrosoftResourceHealth } from "@azure/arm-resourcehealth"
import { describe, expect, it } from "@effect/vitest"
import * as Credential from "@vigil/core-http/Credential"
import * as ApiVersion from "@vigil/health-client/ApiVersion"
import * as AvailabilityClient from "@vigil/health-client/AvailabilityClient"
import * as Connection from "@vigil/health-client/Connection"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as Listing from "@vigil/health-client/Listing"
import * as PublicInfo from "@vigil/health-client/PublicInfo"
import * as RecordName from "@vigil/health-client/RecordName"
import * as ResourceGroup from "@vigil/health-client/ResourceGroup"
import * as ResourceUri from "@vigil/health-client/ResourceUri"
import * as Scope from "@vigil/health-client/Scope"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Tenant from "@vigil/health-client/Tenant"
import * as TrackingId from "@vigil/health-client/TrackingId"
import * as Sandbox from "@vigil/sandbox/Sandbox"
import type * as World from "@vigil/sandbox/World"
import { check, type Exchange, operations, pageable, recordingFetch } from "@vigil/testing/Contract"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { collect, officialOf } from "./contenders.js"

interface Entry {
  readonly id?: string | null
  readonly name?: string | null
}

/** Events of a subscription or the tenant, and the entry of the list of impacted resources of `event`. */
interface StageEvents {
  readonly event: string
  readonly advisory: string
  readonly impacted: string
}

/** What a case needs of a world. */
interface Stage extends StageEvents {
  readonly subscription: string
  readonly resource: string
  readonly parent: string
  readonly bill: string
  readonly ofTenant: StageEvents
}

interface Clients {
  readonly availability: AvailabilityClient.Service
  readonly health: HealthClient.Service
}

type Calls =
  | Stream.Stream<Entry, unknown, HealthClient.HealthClient>
  | Effect.Effect<Entry, unknown, HealthClient.HealthClient>

interface Case {
  readonly method?: "POST"
  /** Of lists with many entries. Default: 1, so that the others have several pages, too. */
  readonly pageSize?: number
  /** Without the vendor's part, `/providers/Microsoft.ResourceHealth`, which is `~`. */
  readonly path: (stage: Stage) => string
  readonly ours: (clients: Clients, stage: Stage) => Calls
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
const idOf = SubscriptionId.make
const trackingIdOf = TrackingId.make
const items = Listing.items({ onInvalid: Effect.fail })
const expanded = { recommendedActions: true }

const cases: Readonly<Record<string, Case>> = {
  AvailabilityStatuses_ListBySubscriptionId: {
    pageSize: 40,
    path: ({ subscription }) => `/subscriptions/${subscription}~/availabilityStatuses`,
    ours: ({ availability }, { subscription }) => availability.list(Scope.subscription(idOf(subscription)), expanded),
    official: ({ availabilityStatuses }) => availabilityStatuses.listBySubscriptionId({ expand }),
  },
  AvailabilityStatuses_ListByResourceGroup: {
    pageSize: 10,
    path: ({ subscription }) => `/subscriptions/${subscription}/resourceGroups/production-1~/availabilityStatuses`,
    ours: ({ availability }, { subscription }) =>
      availability.list(Scope.resourceGroup(idOf(subscription), ResourceGroup.make("production-1")), expanded),
    official: ({ availabilityStatuses }) => availabilityStatuses.listByResourceGroup("production-1", { expand }),
  },
  AvailabilityStatuses_List: {
    pageSize: 10,
    path: ({ resource }) => `${resource}~/availabilityStatuses`,
    ours: ({ availability }, { resource }) => availability.list(Scope.resource(ResourceUri.make(resource)), expanded),
    official: ({ availabilityStatuses }, { resource }) => availabilityStatuses.list(bare(resource), { expand }),
  },
  AvailabilityStatuses_GetByResource: {
    path: ({ resource }) => `${resource}~/availabilityStatuses/current`,
    ours: ({ availability }, { resource }) => availability.current(ResourceUri.make(resource), expanded),
    official: ({ availabilityStatuses }, { resource }) =>
      availabilityStatuses.getByResource(bare(resource), { expand }),
  },
  ChildAvailabilityStatuses_List: {
    pageSize: 10,
    path: (stage) => `${child(stage)}~/childAvailabilityStatuses`,
    ours: ({ availability }, stage) => availability.list(Scope.childStatuses(ResourceUri.make(child(stage))), expanded),
    official: ({ childAvailabilityStatuses }, stage) => childAvailabilityStatuses.list(bare(child(stage)), { expand }),
  },
  ChildAvailabilityStatuses_GetByResource: {
    path: (stage) => `${child(stage)}~/childAvailabilityStatuses/current`,
    ours: ({ availability }, stage) => availability.currentOfChild(ResourceUri.make(child(stage)), expanded),
    official: ({ childAvailabilityStatuses }, stage) =>
      childAvailabilityStatuses.getByResource(bare(child(stage)), { expand }),
  },
  ChildResources_List: {
    path: ({ parent }) => `${parent}~/childResources`,
    ours: ({ availability }, { parent }) => availability.list(Scope.children(ResourceUri.make(parent)), expanded),
    official: ({ childResources }, { parent }) => childResources.list(bare(parent), { expand }),
  },
  EmergingIssues_List: {
    path: () => "~/emergingIssues",
    official: ({ emergingIssues }) => emergingIssues.list(),
    ours: () => items(PublicInfo.pagesOfEmergingIssues()),
  },
  EmergingIssues_Get: {
    path: () => "~/emergingIssues/default",
    official: ({ emergingIssues }) => emergingIssues.get("default"),
    ours: () => PublicInfo.getEmergingIssue(),
  },
  Metadata_List: {
    path: () => "~/metadata",
    official: ({ metadata }) => metadata.list(),
    ours: () => items(PublicInfo.pagesOfMetadata()),
  },
  Metadata_GetEntity: {
    path: () => "~/metadata/region",
    official: ({ metadata }) => metadata.getEntity("region"),
    ours: () => PublicInfo.getMetadata(RecordName.make("region")),
  },
  Operations_List: {
    path: () => "~/operations",
    official: ({ operations }) => operations.list(),
    ours: () => items(PublicInfo.pagesOfOperations()),
  },
  Events_ListBySubscriptionId: {
    pageSize: 40,
    path: ({ subscription }) => `/subscriptions/${subscription}~/events`,
    official: ({ eventsOperations }) => eventsOperations.listBySubscriptionId(),
    ours: ({ health }, { subscription }) => health.listBySubscription(idOf(subscription)),
  },
  Events_ListByTenantId: {
    path: () => "~/events",
    official: ({ eventsOperations }) => eventsOperations.listByTenantId(),
    ours: ({ health }) => health.listByTenant(),
  },
  Events_ListBySingleResource: {
    pageSize: 10,
    path: ({ resource }) => `${resource}~/events`,
    official: ({ eventsOperations }, { resource }) => eventsOperations.listBySingleResource(bare(resource)),
    ours: ({ health }, { resource }) => health.listByResource(ResourceUri.make(resource)),
  },
  Event_GetBySubscriptionIdAndTrackingId: {
    path: ofEvent(""),
    official: ({ eventOperations }, { event }) => eventOperations.getBySubscriptionIdAndTrackingId(event),
    ours: ({ health }, { event, subscription }) => health.get(idOf(subscription), trackingIdOf(event)),
  },
  Event_GetByTenantIdAndTrackingId: {
    path: ({ ofTenant: { event } }) => `~/events/${event}`,
    official: ({ eventOperations }, { ofTenant: { event } }) => eventOperations.getByTenantIdAndTrackingId(event),
    ours: ({ health }, { ofTenant: { event } }) => health.get(Tenant.tenant, trackingIdOf(event)),
  },
  Event_fetchDetailsBySubscriptionIdAndTrackingId: {
    method: "POST",
    path: ofEvent("/fetchEventDetails"),
    official: ({ eventOperations }, { event }) => eventOperations.fetchDetailsBySubscriptionIdAndTrackingId(event),
    ours: ({ health }, { event, subscription }) => health.fetchEventDetails(idOf(subscription), trackingIdOf(event)),
  },
  Event_fetchDetailsByTenantIdAndTrackingId: {
    method: "POST",
    path: ({ ofTenant: { event } }) => `~/events/${event}/fetchEventDetails`,
    official: ({ eventOperations }, { ofTenant: { event } }) =>
      eventOperations.fetchDetailsByTenantIdAndTrackingId(event),
    ours: ({ health }, { ofTenant: { event } }) => health.fetchEventDetails(Tenant.tenant, trackingIdOf(event)),
  },
  Event_fetchBilllingCommunicationDetailsBySubscriptionIdAndTrackingId: {
    method: "POST",
    path: ({ bill, subscription }) => `/subscriptions/${subscription}~/events/${bill}/fetchBillingCommunicationDetails`,
    ours: ({ health }, { bill, subscription }) => health.fetchBillingDetails(idOf(subscription), trackingIdOf(bill)),
  },
  ImpactedResources_ListBySubscriptionIdAndEventId: {
    path: ofEvent("/impactedResources"),
    official: ({ impactedResources }, { event }) => impactedResources.listBySubscriptionIdAndEventId(event),
    ours: ({ health }, { event, subscription }) =>
      items(health.pagesOfImpactedResources(idOf(subscription), trackingIdOf(event))),
  },
  ImpactedResources_ListByTenantIdAndEventId: {
    path: ({ ofTenant: { event } }) => `~/events/${event}/impactedResources`,
    official: ({ impactedResources }, { ofTenant: { event } }) => impactedResources.listByTenantIdAndEventId(event),
    ours: ({ health }, { ofTenant: { event } }) =>
      items(health.pagesOfImpactedResources(Tenant.tenant, trackingIdOf(event))),
  },
  ImpactedResources_Get: {
    path: (stage) => ofEvent(`/impactedResources/${stage.impacted}`)(stage),
    official: ({ impactedResources }, { event, impacted }) => impactedResources.get(event, impacted),
    ours: ({ health }, { event, impacted, subscription }) =>
      health.getImpactedResource(idOf(subscription), trackingIdOf(event), RecordName.make(impacted)),
  },
  ImpactedResources_GetByTenantId: {
    path: ({ ofTenant: { event, impacted } }) => `~/events/${event}/impactedResources/${impacted}`,
    official: ({ impactedResources }, { ofTenant: { event, impacted } }) =>
      impactedResources.getByTenantId(event, impacted),
    ours: ({ health }, { ofTenant: { event, impacted } }) =>
      health.getImpactedResource(Tenant.tenant, trackingIdOf(event), RecordName.make(impacted)),
  },
  SecurityAdvisoryImpactedResources_ListBySubscriptionIdAndEventId: {
    method: "POST",
    path: ({ advisory, subscription }) =>
      `/subscriptions/${subscription}~/events/${advisory}/listSecurityAdvisoryImpactedResources`,
    official: ({ securityAdvisoryImpactedResources }, { advisory }) =>
      securityAdvisoryImpactedResources.listBySubscriptionIdAndEventId(advisory),
    ours: ({ health }, { advisory, subscription }) =>
      items(health.pagesOfImpactedResources(idOf(subscription), trackingIdOf(advisory), { isSecurityAdvisory: true })),
  },
  SecurityAdvisoryImpactedResources_ListByTenantIdAndEventId: {
    method: "POST",
    path: ({ ofTenant: { advisory } }) => `~/events/${advisory}/listSecurityAdvisoryImpactedResources`,
    official: ({ securityAdvisoryImpactedResources }, { ofTenant: { advisory } }) =>
      securityAdvisoryImpactedResources.listByTenantIdAndEventId(advisory),
    ours: ({ health }, { ofTenant: { advisory } }) =>
      items(health.pagesOfImpactedResources(Tenant.tenant, trackingIdOf(advisory), { isSecurityAdvisory: true })),
  },
}

const apiVersion = "2025-05-01"

/** Deviations that every list or event has. The contract test of health-client explains each. */
const allowed = new Set([
  // Our clients send the latest version.
  ...(ApiVersion.all[0] === apiVersion ? [] : ["another api-version"]),
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
const start = Effect.fnUntraced(function* (pageSize = 1) {
  const sandbox = yield* Sandbox.make({
    now: Date.UTC(2025, 1, 12, 9, 30),
    vendor: "Microsoft",
    resources: 120,
    pageSize,
  })
  // Of the tenant, too, each event has several impacted resources.
  yield* sandbox.change((world) => ({
    ...world,
    events: world.events.map((one) =>
      one.subscriptions.length > 0 ? one : { ...one, resources: world.resources.slice(0, 2).map(({ uri }) => uri) },
    ),
  }))
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
    // The calls of both clients expand the statuses of resources.
    const query = /childResources|availabilityStatuses/i.test(after) ? `&$expand=${expand}` : ""
    const url = `${sandbox.baseUrl}${before}/providers/Microsoft.ResourceHealth${after}?api-version=${apiVersion}${query}`
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
const stageOf = Effect.fnUntraced(function* ({ get, world }: Effect.Success<ReturnType<typeof start>>) {
  const [{ id: subscription }] = world.subscriptions
  const find = (eventType: string, isIn: (one: World.WorldEvent) => boolean) =>
    world.events.find((one) => one.event.properties?.eventType === eventType && isIn(one))?.event.name ?? ""
  const isOwn = ({ subscriptions }: World.WorldEvent) => subscriptions.includes(subscription)
  const isImpacting = (one: World.WorldEvent) => isOwn(one) && one.resources.some((uri) => uri.includes(subscription))
  const isOfTenant = ({ subscriptions }: World.WorldEvent) => subscriptions.length === 0
  const eventsOf = Effect.fnUntraced(function* (scope: string, isIn: (one: World.WorldEvent) => boolean) {
    const event = find("ServiceIssue", isIn)
    const [impacted] = entriesOf(yield* get(`${scope}~/events/${event}/impactedResources`))
    return { event, advisory: find("SecurityAdvisory", isIn), impacted: impacted?.name ?? "" }
  })
  const parent = world.resources.find(({ uri }) => uri.includes("Microsoft.Sql/servers/"))?.uri ?? ""
  return {
    subscription,
    resource: world.resources[0]?.uri ?? "",
    parent,
    ...(yield* eventsOf(`/subscriptions/${subscription}`, isImpacting)),
    bill: find("Billing", isOwn),
    ofTenant: yield* eventsOf("", isOfTenant),
  }
})

const oursOf = ({ accessToken, baseUrl }: Sandbox.Service) => {
  const options = { baseUrl, credential: Credential.bearer(accessToken), vendor: "Microsoft" }
  return Connection.make(options).pipe(
    Effect.map((connection) => ({
      availability: AvailabilityClient.make(connection),
      health: HealthClient.make(connection),
    })),
    Effect.provide(FetchHttpClient.layer),
  )
}

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
      const service = yield* start(each.pageSize)
      const stage = yield* stageOf(service)
      const { method, official, ours, path } = each
      const plain = yield* service.get(path(stage), method)
      conforms(operation, plain)
      const entries = entriesOf(plain)
      expect(entries.length).toBeGreaterThan(0)
      // The contract makes a list of one entry pageable, too.
      if (pageable.includes(operation) && operation !== "EmergingIssues_List") expect(plain.length).toBeGreaterThan(1)
      const sent: Array<Exchange> = []
      const clients = yield* oursOf(service)
      const calls = ours(clients, stage)
      const found = (Stream.isStream(calls) ? Stream.runCollect(calls) : Effect.map(calls, (entry) => [entry])).pipe(
        Effect.provideService(HealthClient.HealthClient, clients.health),
        Effect.provideService(
          FetchHttpClient.Fetch,
          recordingFetch((exchange) => void sent.push(exchange)),
        ),
      )
      expect(yield* found).toEqual(entries)
      expect(sent).toHaveLength(plain.length)
      conforms(operation, sent)
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
      const { get } = yield* start()
      conforms(operation, yield* get(path), 404)
    }),
  )
})
