/** Error responses of the sandbox to requests of the client. */
import { ApiVersion, ResourceUri, SubscriptionId, TrackingId } from "@vigil/health-client"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
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
} from "./case.js"

const unknownEvent = TrackingId.make("NONE-000")

/** Runs effects that must all fail, and returns their errors. */
const allFail = (...effects: ReadonlyArray<Effect.Effect<unknown, unknown>>) => Effect.all(effects.map(Effect.flip))

export const errorCases: Readonly<Record<string, Case>> = {
  "an invalid token": {
    operations: [bySubscription, fetchDetails],
    statuses: [401],
    token: "wrong",
    run: (stage) =>
      allFail(
        Stream.runDrain(stage.client.listBySubscription(idOf(stage))),
        stage.client.fetchEventDetails(idOf(stage), unknownEvent),
      ),
  },
  "a missing permission": {
    operations: [fetchDetails, impactedByAdvisory],
    statuses: [403],
    options: { details: false },
    run: (stage) =>
      allFail(
        stage.client.fetchEventDetails(idOf(stage), unknownEvent),
        Stream.runDrain(stage.client.pagesOfImpactedResources(idOf(stage), unknownEvent, { isSecurityAdvisory: true })),
      ),
  },
  "an unknown subscription, resource or event": {
    operations: [bySubscription, byResource, getEvent, fetchDetails, impacted],
    statuses: [404],
    run: (stage) =>
      allFail(
        Stream.runDrain(stage.client.listBySubscription(SubscriptionId.make("none"))),
        Stream.runDrain(stage.client.listByResource(ResourceUri.make("/none"))),
        stage.client.get(idOf(stage), unknownEvent),
        stage.client.fetchEventDetails(idOf(stage), unknownEvent),
        Stream.runDrain(stage.client.pagesOfImpactedResources(idOf(stage), unknownEvent)),
      ),
  },
  "an invalid parameter": {
    operations: [bySubscription, byTenant],
    statuses: [400],
    run: (stage) =>
      allFail(
        Stream.runDrain(stage.client.listBySubscription(idOf(stage), { filter: "service ~ 'A'" })),
        Stream.runDrain(stage.client.listByTenant({ apiVersion: ApiVersion.other("2018-07-01") })),
      ),
  },
  "a refused request": {
    operations: [bySubscription, byTenant],
    statuses: [429, 503],
    run: (stage) =>
      Effect.andThen(
        stage.sandbox.refuse(({ target }) => (target.startsWith("/subscriptions") ? 429 : 503)),
        allFail(
          Stream.runDrain(stage.client.listBySubscription(idOf(stage))),
          Stream.runDrain(stage.client.listByTenant()),
        ),
      ),
  },
}
