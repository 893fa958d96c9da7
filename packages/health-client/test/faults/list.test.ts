/** `listBySubscription` under every fault of links, pages and entries. */
import { Connection, Credential, HealthClient, Retry, SubscriptionId } from "@vigil/health-client"
import * as ListFaults from "@vigil/testing/ListFaults"
import * as Effect from "effect/Effect"

const subscription = SubscriptionId.make("s1")

ListFaults.define({
  operation: "HealthClient.listBySubscription",
  path: "/subscriptions/s1/providers/Vendor.ResourceHealth/events",
  invalid: "InvalidEvent",
  entries: [["invalid-dates", [1, 2].map((index) => ({ index, path: "properties.impactStartTime" }))]],
  connect: ({ baseUrl, token }) =>
    Effect.map(
      Connection.make({ baseUrl, credential: Credential.bearer(token), retry: Retry.exponential("1 millis", 3) }),
      (connection) => {
        const client = HealthClient.make(connection)
        return {
          list: (options) => client.listBySubscription(subscription, options),
          pages: client.pagesBySubscription(subscription),
        }
      },
    ),
})
