/** Calls of every operation of the client. The sandbox has the public vendor. */
import {
  ApiVersion,
  Filter,
  HealthClient,
  Listing,
  PublicInfo,
  RecordName,
  ResourceUri,
  ServiceGroup,
  SubscriptionId,
  Tenant,
  TrackingId,
} from "@vigil/health-client"
import type { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

interface Stage {
  readonly sandbox: Sandbox.Service
  readonly client: HealthClient.Service
}

/** The calls to run, and the operations and the status code (default: 200) of the contract that they must result in. */
export interface Case {
  readonly operations: ReadonlyArray<string>
  readonly status?: number
  readonly options?: Sandbox.Options
  readonly token?: string
  readonly run: (stage: Stage) => Effect.Effect<unknown, unknown>
}

const bySubscription = "Events_ListBySubscriptionId"
const byResource = "Events_ListBySingleResource"
const byTenant = "Events_ListByTenantId"
const byServiceGroup = "ServiceGroupHealth_ListEvents"
const getEvent = "Event_GetBySubscriptionIdAndTrackingId"
const getEventOfTenant = "Event_GetByTenantIdAndTrackingId"
const fetchDetails = "Event_fetchDetailsBySubscriptionIdAndTrackingId"
const fetchDetailsOfTenant = "Event_fetchDetailsByTenantIdAndTrackingId"
const impacted = "ImpactedResources_ListBySubscriptionIdAndEventId"
const impactedByAdvisory = "SecurityAdvisoryImpactedResources_ListBySubscriptionIdAndEventId"
const impactedOfTenant = "ImpactedResources_ListByTenantIdAndEventId"
const impactedByAdvisoryOfTenant = "SecurityAdvisoryImpactedResources_ListByTenantIdAndEventId"

/** Older than the oldest event. */
const queryStartTime = "90 days"
const filter = Filter.eq("eventType", "ServiceIssue")

/** The service group of the sandbox that has all subscriptions. */
const everything = ServiceGroup.make("everything")

const idOf = ({ sandbox }: Stage) => SubscriptionId.make(sandbox.world.subscriptions[0].id)
const uriOf = ({ sandbox }: Stage) => ResourceUri.make(sandbox.world.resources[0]?.uri ?? "")

/** Calls an operation for the newest events of the subscription. */
const forEvents = (
  stage: Stage,
  eventType: string,
  call: (owner: SubscriptionId.SubscriptionId, name: TrackingId.TrackingId) => Effect.Effect<unknown, unknown>,
) => {
  const id = idOf(stage)
  const events = stage.sandbox.world.events.filter(
    ({ event, subscriptions }) => event.properties?.eventType === eventType && subscriptions.includes(id),
  )
  return Effect.forEach(events.slice(0, 5), ({ event }) => call(id, TrackingId.make(event.name ?? "")))
}

/** Calls an operation for events of the subscription, and for those of the tenant, which no subscription has. */
const forBoth = (
  stage: Stage,
  eventType: string,
  call: (owner: Tenant.Owner, name: TrackingId.TrackingId) => Effect.Effect<unknown, unknown>,
) => {
  const ofTenant = stage.sandbox.world.events.filter(
    ({ event, subscriptions }) => event.properties?.eventType === eventType && subscriptions.length === 0,
  )
  return Effect.andThen(
    forEvents(stage, eventType, call),
    Effect.forEach(ofTenant, ({ event }) => call(Tenant.tenant, TrackingId.make(event.name ?? ""))),
  )
}

/** Every event affects every resource, so that the lists have several pages. */
const affectAll = ({ sandbox }: Stage) =>
  sandbox.change((world) => ({
    ...world,
    events: world.events.map((event) => ({ ...event, resources: world.resources.map(({ uri }) => uri) })),
  }))

const one = (operation: string, run: Case["run"], options: Sandbox.Options = {}): Case => ({
  operations: [operation],
  run,
  options,
})

/** A function of the client. */
const informed = (
  operation: string,
  call: Effect.Effect<unknown, unknown, HealthClient.HealthClient>,
  options?: Sandbox.Options,
): Case => one(operation, ({ client }) => Effect.provideService(call, HealthClient.HealthClient, client), options)

/** Lists all events, in every version. */
const listByTenant = one(
  byTenant,
  ({ client }) =>
    Effect.forEach(ApiVersion.all, (apiVersion) =>
      Stream.runDrain(client.listByTenant({ apiVersion, queryStartTime })),
    ),
  { pageSize: 5 },
)

const operations: Readonly<Record<Exclude<keyof HealthClient.Service, "connection" | "key">, Case>> = {
  listByTenant,
  pagesByTenant: one(byTenant, ({ client }) => Stream.runDrain(client.pagesByTenant({ queryStartTime, filter }))),
  listBySubscription: one(bySubscription, (stage) =>
    Stream.runDrain(stage.client.listBySubscription(idOf(stage), { filter, queryStartTime })),
  ),
  pagesBySubscription: one(bySubscription, (stage) =>
    Stream.runDrain(stage.client.pagesBySubscription(idOf(stage), { queryStartTime })),
  ),
  listByResource: one(byResource, (stage) => Stream.runDrain(stage.client.listByResource(uriOf(stage), { filter }))),
  pagesByResource: one(byResource, (stage) => Stream.runDrain(stage.client.pagesByResource(uriOf(stage))), {
    pageSize: 5,
  }),
  listByServiceGroup: one(byServiceGroup, ({ client }) => Stream.runDrain(client.listByServiceGroup(everything))),
  pagesByServiceGroup: one(byServiceGroup, ({ client }) => Stream.runDrain(client.pagesByServiceGroup(everything))),
  get: {
    operations: [getEvent, getEventOfTenant],
    run: (stage) =>
      forBoth(stage, "ServiceIssue", (owner, name) => stage.client.get(owner, name, { filter, queryStartTime })),
  },
  fetchEventDetails: {
    operations: [fetchDetails, fetchDetailsOfTenant],
    run: (stage) => forBoth(stage, "ServiceIssue", stage.client.fetchEventDetails),
  },
  fetchBillingDetails: one("Event_fetchBilllingCommunicationDetailsBySubscriptionIdAndTrackingId", (stage) =>
    forEvents(stage, "Billing", stage.client.fetchBillingDetails),
  ),
  pagesOfImpactedResources: {
    operations: [impacted, impactedByAdvisory, impactedOfTenant, impactedByAdvisoryOfTenant],
    options: { pageSize: 2 },
    run: Effect.fnUntraced(function* (stage) {
      yield* affectAll(stage)
      for (const isSecurityAdvisory of [false, true])
        yield* forBoth(stage, isSecurityAdvisory ? "SecurityAdvisory" : "ServiceIssue", (owner, name) =>
          Stream.runDrain(stage.client.pagesOfImpactedResources(owner, name, { isSecurityAdvisory })),
        )
    }),
  },
  getImpactedResource: {
    operations: [impacted, impactedOfTenant, "ImpactedResources_Get", "ImpactedResources_GetByTenantId"],
    run: Effect.fnUntraced(function* (stage) {
      yield* affectAll(stage)
      yield* forBoth(stage, "ServiceIssue", (owner, trackingId) =>
        Effect.gen(function* () {
          const pages = stage.client.pagesOfImpactedResources(owner, trackingId)
          const [resource] = yield* Stream.runCollect(Stream.take(Listing.items({ onInvalid: Effect.fail })(pages), 1))
          const name = RecordName.make(resource?.name ?? "")
          return yield* stage.client.getImpactedResource(owner, trackingId, name)
        }),
      )
    }),
  },
}

const publicInfo: Readonly<Record<keyof typeof PublicInfo, Case>> = {
  pagesOfEmergingIssues: informed("EmergingIssues_List", Stream.runDrain(PublicInfo.pagesOfEmergingIssues())),
  getEmergingIssue: informed("EmergingIssues_Get", PublicInfo.getEmergingIssue()),
  pagesOfMetadata: informed("Metadata_List", Stream.runDrain(PublicInfo.pagesOfMetadata()), { pageSize: 2 }),
  getMetadata: informed("Metadata_GetEntity", PublicInfo.getMetadata(RecordName.make("region"))),
  pagesOfOperations: informed("Operations_List", Stream.runDrain(PublicInfo.pagesOfOperations())),
}

/** Operations that fail. */
const failing = {
  operations: [bySubscription, byResource, getEvent, fetchDetails, impacted],
  run: ({ client }: Stage) => {
    const [id, name] = [SubscriptionId.make("none"), TrackingId.make("NONE-000")]
    const calls: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
      Stream.runDrain(client.listBySubscription(id)),
      Stream.runDrain(client.listByResource(ResourceUri.make("/none"))),
      client.get(id, name),
      client.fetchEventDetails(id, name),
      Stream.runDrain(client.pagesOfImpactedResources(id, name)),
    ]
    return Effect.forEach(calls, (call) => Effect.flip(call))
  },
}

export const cases: Readonly<Record<string, Case>> = {
  ...operations,
  ...publicInfo,
  "other events": { ...listByTenant, options: { pageSize: 5, seed: 2 } },
  "an unknown subscription, resource or event": { ...failing, status: 404 },
  "an invalid token": { ...failing, status: 401, token: "wrong" },
  "an invalid parameter": {
    ...one(bySubscription, (stage) =>
      Effect.flip(Stream.runDrain(stage.client.listBySubscription(idOf(stage), { filter: Filter.raw("a ~ 'A'") }))),
    ),
    status: 400,
  },
  "a missing permission": {
    ...one(fetchDetails, (stage) => Effect.flip(forEvents(stage, "ServiceIssue", stage.client.fetchEventDetails))),
    status: 403,
    options: { details: false },
  },
}
