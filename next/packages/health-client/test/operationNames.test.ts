/** The names of operations in errors. */
import { expect, it } from "@effect/vitest"
import { Credential, HealthClient, ResourceUri, SubscriptionId, TrackingId } from "@vigil/health-client"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { stubClient } from "./stubClient.js"

const id = SubscriptionId.make("s1")
const uri = ResourceUri.make("/subscriptions/s1/resourceGroups/g/providers/Vendor.Web/sites/w")
const trackingId = TrackingId.make("E1")

/** A call of each operation. A missing one is a compile error. */
const calls: {
  readonly [Name in keyof HealthClient.Service]: (
    client: HealthClient.Service,
  ) => Effect.Effect<unknown, { readonly _tag: string }>
} = {
  listBySubscription: (client) => Stream.runDrain(client.listBySubscription(id)),
  pagesBySubscription: (client) => Stream.runDrain(client.pagesBySubscription(id)),
  listByResource: (client) => Stream.runDrain(client.listByResource(uri)),
  pagesByResource: (client) => Stream.runDrain(client.pagesByResource(uri)),
  listByTenant: (client) => Stream.runDrain(client.listByTenant()),
  pagesByTenant: (client) => Stream.runDrain(client.pagesByTenant()),
  get: (client) => client.get(id, trackingId),
  find: (client) => client.find(id, trackingId),
  fetchEventDetails: (client) => client.fetchEventDetails(id, trackingId),
  listImpactedResources: (client) => Stream.runDrain(client.listImpactedResources(id, trackingId)),
  pagesOfImpactedResources: (client) => Stream.runDrain(client.pagesOfImpactedResources(id, trackingId)),
}

it.effect.each(Object.entries(calls))("an error of %s has the name of the operation", ([name, call]) =>
  Effect.gen(function* () {
    const client = yield* HealthClient.make({ baseUrl: "https://health.example", credential: Credential.none })
    const error = yield* Effect.flip(call(client))
    expect(error).toMatchObject({ _tag: "NotFound", operation: `HealthClient.${name}` })
  }).pipe(Effect.scoped, Effect.provide(stubClient({}).layer)),
)
