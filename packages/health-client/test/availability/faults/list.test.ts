/** `list` under every fault of links, pages and entries. */
import { AvailabilityClient, Connection, Credential, Retry, Scope, SubscriptionId } from "@vigil/health-client"
import * as ListFaults from "@vigil/testing/ListFaults"
import * as Effect from "effect/Effect"

const scope = Scope.subscription(SubscriptionId.make("s1"))

ListFaults.define({
  operation: "AvailabilityClient.list",
  path: "/subscriptions/s1/providers/Vendor.ResourceHealth/availabilityStatuses",
  invalid: "InvalidStatus",
  entries: [
    [
      "invalid-statuses",
      ["availabilityState", "occuredTime"].map((name, at) => ({ index: at + 1, path: `properties.${name}` })),
    ],
  ],
  connect: ({ baseUrl, token }) =>
    Effect.map(
      Connection.make({
        baseUrl,
        credential: Credential.bearer(token),
        retry: Retry.exponential("1 millis", 3),
      }),
      (connection) => {
        const client = AvailabilityClient.make(connection)
        return { list: (options) => client.list(scope, options), pages: client.pages(scope) }
      },
    ),
})
