/** `vigil events show`: one event in full. */
import * as Find from "@vigil/health-client/Find"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as Sensitive from "@vigil/health-schema/Sensitive"
import * as Effect from "effect/Effect"
import * as Command from "../command/Command.js"
import { CommandError } from "../command/CommandError.js"
import type { AnyEvent } from "../connection/AnyEvent.js"
import * as Connection from "../connection/Connection.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import * as Flag from "../flags/Flag.js"
import * as Time from "../flags/Time.js"
import { UsageError } from "../flags/UsageError.js"
import * as Format from "../output/Format.js"
import { Output } from "../output/Output.js"
import * as Printable from "../output/Printable.js"
import type * as SubscriptionNames from "../settings/SubscriptionNames.js"
import * as Entry from "./shared/Entry.js"
import * as EventTable from "./shared/EventTable.js"

/** Loaded lazily: it includes an HTML parser. */
const text = Effect.promise(() => import("@vigil/health-report/EventText"))

/** Prints one event. `details`: the command that prints withheld texts. */
const print = (format: Format.Format, event: AnyEvent, names: SubscriptionNames.SubscriptionNames, details?: string) =>
  Effect.flatMap(text, (EventText) =>
    Format.one(format, {
      lines: (width, color) => EventText.lines(event, { width, color, details, subscriptionTitle: names.title }),
      record: Printable.toObject(EventTable.fields, event),
      json: event,
    }),
  )

export const command = Command.make({
  description: "Show one event of a subscription: texts, updates of each region, actions, FAQs and links.",
  examples: ["vigil events show D5VD-GHJ --sandbox", "vigil events show KJHV-M8Z --sandbox --details"],
  flags: {
    ...Connection.flags,
    subscription: Subscriptions.flag,
    since: Time.since("3d"),
    details: Flag.boolean("Show the texts that lists withhold too; requires a permission"),
    apiVersion: Connection.apiVersion,
    output: Format.flag,
  },
  args: { id: Entry.trackingId },
  run: function* ({ id: trackingId, output: format, since, ...flags }) {
    const output = yield* Output
    if (flags.details && since !== undefined)
      return yield* new UsageError("--details and --since are mutually exclusive: details do not depend on the time.")
    const connection = yield* Connection.health(flags)
    const { apiVersion } = connection
    const subscription = yield* Subscriptions.one(connection, flags.subscription)
    if (flags.details) {
      const event = yield* connection.client.fetchEventDetails(subscription, trackingId, { apiVersion })
      return yield* print(format, event, connection.names)
    }
    const found = yield* Find.find(subscription, trackingId, { apiVersion, queryStartTime: since }).pipe(
      Effect.provideService(HealthClient.HealthClient, connection.client),
    )
    if (found === undefined) {
      const when = since === undefined ? "in the last three days" : Time.describe(since)
      return yield* new CommandError(
        "notFound",
        `No event ${JSON.stringify(trackingId)} was updated ${when}. Pass an earlier --since, such as 90d, or check the ID and the subscription with vigil events list.`,
      )
    }
    const details = Subscriptions.showEvent(connection, subscription, "--details")(trackingId)
    yield* print(format, found, connection.names, details)
    if (!Format.isTable(format) && Sensitive.hasWithheldTexts(found))
      yield* output.note(`vigil: lists withhold texts of this sensitive event: run ${details}`)
  },
})
