/** Calls of every operation of the client. The sandbox has the public vendor. */
import {
  ApiVersion,
  type Checkpoint,
  Filter,
  type HealthClient,
  type Listing,
  ResourceUri,
  SubscriptionId,
  TrackingId,
} from "@vigil/health-client"
import type { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

interface Stage {
  readonly sandbox: Sandbox.Service
  readonly client: HealthClient.Service
}

/** A case: the calls to run, and the operations and status codes of the contract that they must result in. */
export interface Case {
  readonly operations: ReadonlyArray<string>
  readonly statuses?: ReadonlyArray<number>
  readonly options?: Sandbox.Options
  readonly token?: string
  /** Whether to run with every seed, because the case reads all events (default: only with the first seed). */
  readonly everySeed?: boolean
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
const unknownEvent = TrackingId.make("NONE-000")

const idOf = ({ sandbox }: Stage) => SubscriptionId.make(sandbox.world.subscriptions[0].id)

const urisOf = ({ sandbox }: Stage) => sandbox.world.resources.slice(0, 3).map(({ uri }) => ResourceUri.make(uri))

/** The tracking IDs of the newest events of the subscription. */
const idsOf = (stage: Stage, count: number, eventType = "ServiceIssue") =>
  stage.sandbox.world.events
    .filter(
      ({ event, subscriptions }) => event.properties?.eventType === eventType && subscriptions.includes(idOf(stage)),
    )
    .slice(0, count)
    .map(({ event }) => TrackingId.make(event.name ?? ""))

const inBoth = <A, E>(run: (apiVersion: ApiVersion.Known) => Effect.Effect<A, E>) => Effect.forEach(ApiVersion.all, run)

/** Reads the first page, and the others from its checkpoint. */
const resumed = <E>(
  pages: (
    options: Pick<Listing.PageOptions, "from">,
  ) => Stream.Stream<{ readonly checkpoint: Checkpoint.Checkpoint }, E>,
) =>
  Effect.flatMap(Stream.runHead(pages({})), (first) =>
    Stream.runCount(pages({ from: Option.getOrThrow(first).checkpoint })),
  )

/** Makes every event affect every resource, so that lists of impacted resources have several pages. */
const affectAll = ({ sandbox }: Stage) =>
  sandbox.change((world) => ({
    ...world,
    events: world.events.map((event) => ({ ...event, resources: world.resources.map(({ uri }) => uri) })),
  }))

const operations: Readonly<Record<keyof HealthClient.Service, Case>> = {
  listBySubscription: {
    operations: [bySubscription],
    run: (stage) =>
      inBoth((apiVersion) =>
        Stream.runCount(stage.client.listBySubscription(idOf(stage), { apiVersion, filter, queryStartTime })),
      ),
  },
  pagesBySubscription: {
    operations: [bySubscription],
    run: (stage) => resumed((page) => stage.client.pagesBySubscription(idOf(stage), { queryStartTime, ...page })),
  },
  listByResource: {
    operations: [byResource],
    run: (stage) =>
      Effect.forEach(urisOf(stage), (uri) => Stream.runCount(stage.client.listByResource(uri, { filter }))),
  },
  pagesByResource: {
    operations: [byResource],
    run: (stage) => Effect.forEach(urisOf(stage), (uri) => Stream.runCount(stage.client.pagesByResource(uri))),
  },
  listByTenant: {
    operations: [byTenant],
    everySeed: true,
    run: ({ client }) => inBoth((apiVersion) => Stream.runCount(client.listByTenant({ apiVersion, queryStartTime }))),
  },
  pagesByTenant: {
    operations: [byTenant],
    run: ({ client }) => resumed((page) => client.pagesByTenant({ queryStartTime, filter, ...page })),
  },
  get: {
    operations: [getEvent],
    run: (stage) =>
      Effect.forEach(idsOf(stage, 10), (name) => stage.client.get(idOf(stage), name, { filter, queryStartTime })),
  },
  fetchEventDetails: {
    operations: [fetchDetails],
    run: (stage) => Effect.forEach(idsOf(stage, 10), (name) => stage.client.fetchEventDetails(idOf(stage), name)),
  },
  pagesOfImpactedResources: {
    operations: [impacted, impactedByAdvisory],
    options: { pageSize: 2 },
    run: Effect.fnUntraced(function* (stage) {
      yield* affectAll(stage)
      for (const [type, isSecurityAdvisory] of [
        ["ServiceIssue", false],
        ["SecurityAdvisory", true],
      ] as const)
        for (const name of idsOf(stage, 3, type))
          yield* resumed((page) =>
            stage.client.pagesOfImpactedResources(idOf(stage), name, { isSecurityAdvisory, ...page }),
          )
    }),
  },
}

/** Every operation fails. */
const allFail = (stage: Stage, id = idOf(stage), uri = ResourceUri.make("/none")) =>
  Effect.all(
    [
      Stream.runDrain(stage.client.listBySubscription(id)),
      Stream.runDrain(stage.client.listByResource(uri)),
      stage.client.get(id, unknownEvent),
      stage.client.fetchEventDetails(id, unknownEvent),
      Stream.runDrain(stage.client.pagesOfImpactedResources(id, unknownEvent)),
    ].map((call: Effect.Effect<unknown, unknown>) => Effect.flip(call)),
  )

const failing = [bySubscription, byResource, getEvent, fetchDetails, impacted]

const errorCases: Readonly<Record<string, Case>> = {
  "an invalid token": { operations: failing, statuses: [401], token: "wrong", run: allFail },
  "an unknown subscription, resource or event": {
    operations: failing,
    statuses: [404],
    run: (stage) => allFail(stage, SubscriptionId.make("none")),
  },
  "an invalid parameter": {
    operations: [bySubscription],
    statuses: [400],
    run: (stage) =>
      Effect.flip(Stream.runDrain(stage.client.listBySubscription(idOf(stage), { filter: "service ~ 'A'" }))),
  },
  "a missing permission": {
    operations: [fetchDetails],
    statuses: [403],
    options: { details: false },
    run: (stage) => Effect.flip(stage.client.fetchEventDetails(idOf(stage), unknownEvent)),
  },
  "a refused request": {
    operations: failing,
    statuses: [503],
    run: (stage) =>
      Effect.andThen(
        stage.sandbox.refuse(() => 503),
        allFail(stage),
      ),
  },
}

export const cases: Readonly<Record<string, Case>> = { ...operations, ...errorCases }
