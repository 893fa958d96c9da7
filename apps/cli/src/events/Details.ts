/** `vigil events details`: one event with the texts that lists withhold. */
import * as Command from "../Command.js"
import * as Format from "../output/Format.js"
import * as Connection from "../settings/Connection.js"
import * as Entry from "./Entry.js"
import * as Source from "./Source.js"

export const command = Command.make({
  name: "details",
  description:
    "Show one event with the texts that lists withhold for sensitive events. Requires a separate permission.",
  examples: ["vigil events details KJHV-M8Z --sandbox"],
  flags: {
    ...Connection.flags,
    subscription: Source.subscription,
    apiVersion: Source.apiVersion,
    output: Format.flag,
  },
  args: { id: Source.trackingId },
  run: function* ({ apiVersion, id: trackingId, output: format, ...flags }) {
    const connection = yield* Connection.health(flags)
    const subscription = yield* Source.subscriptionOf(connection, flags.subscription)
    yield* Entry.print(format, yield* connection.client.fetchEventDetails(subscription, trackingId, { apiVersion }))
  },
})
