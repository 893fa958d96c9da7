/** `vigil events show`: one event in full, and who has it: subscriptions, the tenant, or everyone as an emerging issue. */
import * as Find from "@vigil/health-client/Find"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as EventUnion from "@vigil/health-schema/EventUnion"
import * as Limits from "@vigil/health-schema/Limits"
import * as Sensitive from "@vigil/health-schema/Sensitive"
import * as Subject from "@vigil/health-verdict/Subject"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Command from "../command/Command.js"
import type { Failure } from "../command/Failure.js"
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
import * as Beside from "../lists/Beside.js"
import * as EachSubscription from "../lists/EachSubscription.js"
import * as Entry from "../lists/Entry.js"
import * as Lists from "../lists/Lists.js"
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

const longest = Duration.days(Limits.activeDaysBack)

/** `since`: how far back the lists were read. */
const notFound = (trackingId: string, where: string, since: Time.Since | undefined, remark: string) => {
  const what = since === undefined ? "has details" : `was updated ${Time.describe(since)}`
  const isShort = Duration.isDuration(since) && Duration.isLessThan(since, longest)
  const earlier = isShort ? ` Pass an earlier --since, such as ${Limits.activeDaysBack}d.` : ""
  return new CommandError(
    "notFound",
    `No event ${JSON.stringify(trackingId)} of ${where} ${what}${remark}.${earlier} Check the ID and the subscriptions with vigil events list.`,
  )
}

export const command = Command.make({
  description:
    "Show one event of subscriptions, of the tenant or of everyone, and who has it: texts, updates of each region, actions, FAQs and links.",
  examples: ["vigil events show D5VD-GHJ --sandbox", "vigil events show KJHV-M8Z --sandbox --details"],
  flags: {
    ...Connection.flags,
    subscription: Subscriptions.repeated,
    withoutTenant: Connection.withoutTenant,
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
    const { apiVersion, client, names } = connection
    const ids = yield* Subscriptions.several(connection, flags)
    const beside = Beside.select(connection, flags)
    const owners = [...ids, ...beside.read]
    const query = { apiVersion, queryStartTime: since }
    const find = (
      owner: (typeof owners)[number],
    ): Effect.Effect<AnyEvent | undefined, Failure, HealthClient.HealthClient> => {
      // An emerging issue withholds no texts.
      if (Subject.isEveryone(owner)) return Beside.findIssue(trackingId, query)
      return flags.details
        ? Effect.catchIf(
            client.fetchEventDetails(owner, trackingId, { apiVersion }),
            (error) => owners.length > 1 && EachSubscription.isMissing(error),
            () => Effect.undefined,
          )
        : Find.find(owner, trackingId, query)
    }
    const found = yield* EachSubscription.search(connection, ids, beside, (owner) =>
      Effect.provideService(find(owner), HealthClient.HealthClient, client),
    )
    const [event, ...copies] = found.values
    if (event === undefined) {
      yield* found.end
      const period = flags.details ? undefined : (since ?? Duration.days(3))
      return yield* notFound(trackingId, Lists.summaryOf(connection, owners), period, found.remark)
    }
    const merged = copies.length === 0 ? event : EventUnion.merge([event, ...copies])
    const details = flags.details
      ? undefined
      : Subscriptions.showEvent(connection, found.owners.find(Subject.isSubscription), "--details")(trackingId)
    yield* print(format, merged, names, details)
    if (details !== undefined && !Format.isTable(format) && Sensitive.hasWithheldTexts(merged))
      yield* output.note(`vigil: lists withhold texts of this sensitive event: run ${details}`)
    yield* output.note(`Found in ${Lists.summaryOf(connection, found.owners)}${found.remark}`)
    yield* found.end
  },
})
