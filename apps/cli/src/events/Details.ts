/** `vigil events details`: one event with the texts that lists withhold. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Format from "../output/Format.js"
import * as Connection from "../settings/Connection.js"
import * as One from "./One.js"
import * as Source from "./Source.js"

/** The command. */
export const command = Command.make(
  "details",
  {
    ...Connection.flags,
    id: Args.text({ name: "id" }).pipe(Args.withDescription("The event's tracking id.")),
    subscription: Source.subscription,
    apiVersion: Source.apiVersion,
    output: Format.flag,
  },
  ({ apiVersion, id, output: format, ...flags }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const trackingId = yield* Source.trackingIdOf(id)
        const connection = yield* Connection.health(flags)
        const subscription = yield* Source.subscriptionOf(connection, flags.subscription)
        yield* One.print(format, yield* connection.client.fetchEventDetails(subscription, trackingId, { apiVersion }))
      }),
    ),
).pipe(
  Command.withDescription(
    "Show one event with the texts that lists withhold of sensitive events. It takes a right of its own.",
  ),
)
