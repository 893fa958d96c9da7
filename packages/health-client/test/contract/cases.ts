/** Calls of every operation of the client. The sandbox has the public vendor. */
import { ApiVersion, Filter, type HealthClient, ResourceUri, SubscriptionId, TrackingId } from "@vigil/health-client"
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
const getEvent = "Event_GetBySubscriptionIdAndTrackingId"
const fetchDetails = "Event_fetchDetailsBySubscriptionIdAndTrackingId"
const impacted = "ImpactedResources_ListBySubscriptionIdAndEventId"
const impactedByAdvisory = "SecurityAdvisoryImpactedResources_ListBySubscriptionIdAndEventId"

/** Older than the oldest event. */
const queryStartTime = "90 days"
const filter = Filter.eq("eventType", "ServiceIssue")

const idOf = ({ sandbox }: Stage) => SubscriptionId.make(sandbox.world.subscriptions[0].id)
const uriOf = ({ sandbox }: Stage) => ResourceUri.make(sandbox.world.resources[0]?.uri ?? "")

/** Calls an operation for the newest events of the subscription. */
const forEvents = (
  stage: Stage,
  eventType: string,
  call: (subscription: SubscriptionId.SubscriptionId, name: TrackingId.TrackingId) => Effect.Effect<unknown, unknown>,
) => {
  const id = idOf(stage)
  const events = stage.sandbox.world.events.filter(
    ({ event, subscriptions }) => event.properties?.eventType === eventType && subscriptions.includes(id),
  )
  return Effect.forEach(events.slice(0, 5), ({ event }) => call(id, TrackingId.make(event.name ?? "")))
}

const one = (operation: string, run: Case["run"], options: Sandbox.Options = {}): Case => ({
  operations: [operation],
  run,
  options,
})

/** Lists all events, in both versions. */
const listByTenant = one(byTenant, ({ client }) =>
  Effect.forEach(ApiVersion.all, (apiVersion) => Stream.runDrain(client.listByTenant({ apiVersion, queryStartTime }))),
)

const operations: Readonly<Record<Exclude<keyof HealthClient.Service, "identity">, Case>> = {
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
  get: one(getEvent, (stage) =>
    forEvents(stage, "ServiceIssue", (id, name) => stage.client.get(id, name, { filter, queryStartTime })),
  ),
  fetchEventDetails: one(fetchDetails, (stage) => forEvents(stage, "ServiceIssue", stage.client.fetchEventDetails)),
  pagesOfImpactedResources: {
    operations: [impacted, impactedByAdvisory],
    options: { pageSize: 2 },
    run: Effect.fnUntraced(function* (stage) {
      // Every event affects every resource, so that the lists have several pages.
      yield* stage.sandbox.change((world) => ({
        ...world,
        events: world.events.map((event) => ({ ...event, resources: world.resources.map(({ uri }) => uri) })),
      }))
      for (const isSecurityAdvisory of [false, true])
        yield* forEvents(stage, isSecurityAdvisory ? "SecurityAdvisory" : "ServiceIssue", (id, name) =>
          Stream.runDrain(stage.client.pagesOfImpactedResources(id, name, { isSecurityAdvisory })),
        )
    }),
  },
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
  "other events": { ...listByTenant, options: { seed: 2 } },
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
