/** `vigil events show`: all of one event. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Sensitive from "@vigil/health-schema/Sensitive"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { EventNotFound } from "../Failure.js"
import * as Format from "../output/Format.js"
import { Output } from "../output/Output.js"
import * as Connection from "../settings/Connection.js"
import * as One from "./One.js"
import * as Since from "./Since.js"
import * as Source from "./Source.js"

const notFound = (id: string, since: Option.Option<string>) =>
  new EventNotFound({
    message: Option.match(since, {
      onNone: () =>
        `There is no event ${JSON.stringify(id)} among those that were updated in the last three days. Look further back, as with --since 90d, or check the id and the subscription with vigil events list.`,
      onSome: (since) =>
        `There is no event ${JSON.stringify(id)} among those that were updated since ${JSON.stringify(since)}. Look further back, or check the id and the subscription with vigil events list.`,
    }),
  })

/** The command. */
export const command = Command.make(
  "show",
  {
    ...Connection.flags,
    id: Args.text({ name: "id" }).pipe(Args.withDescription("The event's tracking id.")),
    subscription: Source.subscription,
    since: Since.flag,
    apiVersion: Source.apiVersion,
    output: Format.flag,
  },
  ({ apiVersion, id, output: format, ...flags }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const output = yield* Output
        const trackingId = yield* Source.trackingIdOf(id)
        const since = yield* Effect.transposeMapOption(flags.since, Since.parse)
        const connection = yield* Connection.health(flags)
        const subscription = yield* Source.subscriptionOf(connection, flags.subscription)
        const found = yield* connection.client.find(subscription, trackingId, {
          apiVersion,
          queryStartTime: Option.getOrUndefined(since),
        })
        if (Option.isNone(found)) return yield* notFound(trackingId, flags.since)
        const details = `vigil events details ${trackingId}`
        yield* One.print(format, found.value, details)
        if (!Format.isTable(format) && Sensitive.hasWithheldTexts(found.value))
          yield* output.note(`vigil: texts of this sensitive event are withheld from lists: run ${details}`)
      }),
    ),
).pipe(
  Command.withDescription(
    "Show all of one event of a subscription: its texts, the updates of each region, recommended actions, questions and links.",
  ),
)
