/** Calls of every client operation, and of every function that uses the client. The sandbox has the public vendor. */
import {
  ApiVersion,
  type Checkpoint,
  Filter,
  Find,
  HealthClient,
  type Listing,
  ResourceUri,
  SubscriptionId,
  Sweep,
  TrackingId,
  Watch,
  WithDetails,
} from "@vigil/health-client"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { collect, withClient } from "../collect.js"
import {
  byResource,
  bySubscription,
  byTenant,
  type Case,
  fetchDetails,
  getEvent,
  idOf,
  impacted,
  impactedByAdvisory,
  type Stage,
} from "./case.js"
import { errorCases } from "./errorCases.js"

/** Older than the oldest event. */
const queryStartTime = "90 days"
const filter = Filter.eq("eventType", "ServiceIssue")

const inBoth = <A, E>(run: (apiVersion: ApiVersion.Known) => Effect.Effect<A, E>) => Effect.forEach(ApiVersion.all, run)

/** The tracking IDs of the newest events of the subscription. */
const idsOf = (stage: Stage, count: number, eventType = "ServiceIssue") =>
  stage.sandbox.world.events
    .filter(
      ({ event, subscriptions }) => event.properties?.eventType === eventType && subscriptions.includes(idOf(stage)),
    )
    .slice(0, count)
    .map(({ event }) => TrackingId.make(event.name ?? ""))

const urisOf = ({ sandbox }: Stage) => sandbox.world.resources.slice(0, 3).map(({ uri }) => ResourceUri.make(uri))

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

const eventTypes = [
  ["ServiceIssue", false],
  ["SecurityAdvisory", true],
] as const

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
    run: (stage) =>
      resumed((page) => stage.client.pagesBySubscription(idOf(stage), { queryStartTime, filter, ...page })),
  },
  listByResource: {
    operations: [byResource],
    run: (stage) =>
      inBoth((apiVersion) =>
        Effect.forEach(urisOf(stage), (uri) => Stream.runCount(stage.client.listByResource(uri, { apiVersion }))),
      ),
  },
  pagesByResource: {
    operations: [byResource],
    run: (stage) =>
      Effect.forEach(urisOf(stage), (uri) => Stream.runCount(stage.client.pagesByResource(uri, { filter }))),
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
      inBoth((apiVersion) =>
        Effect.forEach(idsOf(stage, 10), (name) =>
          stage.client.get(idOf(stage), name, { apiVersion, filter, queryStartTime }),
        ),
      ),
  },
  fetchEventDetails: {
    operations: [fetchDetails],
    run: (stage) =>
      inBoth((apiVersion) =>
        Effect.forEach(idsOf(stage, 10), (name) => stage.client.fetchEventDetails(idOf(stage), name, { apiVersion })),
      ),
  },
  pagesOfImpactedResources: {
    operations: [impacted, impactedByAdvisory],
    options: { pageSize: 2 },
    run: (stage) =>
      Effect.andThen(
        affectAll(stage),
        Effect.forEach(eventTypes, ([type, isSecurityAdvisory]) =>
          Effect.forEach(idsOf(stage, 3, type), (name) =>
            resumed((page) =>
              stage.client.pagesOfImpactedResources(idOf(stage), name, {
                apiVersion: "2025-04-01",
                isSecurityAdvisory,
                ...page,
              }),
            ),
          ),
        ),
      ),
  },
}

const functions: Readonly<Record<string, Case>> = {
  "Find.find": {
    operations: [getEvent, bySubscription],
    statuses: [200, 404],
    // The sandbox compares tracking IDs exactly, so a lowercase ID is found only in the list.
    run: (stage) =>
      Effect.forEach(
        idsOf(stage, 3).flatMap((name) => [name, TrackingId.make(name.toLowerCase())]),
        (name) =>
          Find.find(idOf(stage), name, { queryStartTime }).pipe(
            Effect.provideService(HealthClient.HealthClient, stage.client),
            Effect.flatMap(Effect.fromOption),
          ),
      ),
  },
  "WithDetails.withDetails": {
    operations: [bySubscription, fetchDetails],
    run: (stage) =>
      inBoth((apiVersion) =>
        stage.client
          .listBySubscription(idOf(stage), { apiVersion, queryStartTime })
          .pipe(WithDetails.withDetails(idOf(stage), { apiVersion }), withClient(stage.client), Stream.runCount),
      ),
  },
  "Sweep.sweep": {
    operations: [bySubscription],
    run: ({ client, sandbox }) =>
      Stream.runCount(
        Sweep.sweep(sandbox.world.subscriptions.map(({ id }) => SubscriptionId.make(id))).pipe(withClient(client)),
      ),
  },
  "Watch.watch": {
    operations: [bySubscription],
    run: (stage) => collect(Watch.watch(idOf(stage), { schedule: Schedule.recurs(1) }).pipe(withClient(stage.client))),
  },
}

export const cases: Readonly<Record<string, Case>> = { ...operations, ...functions, ...errorCases }
