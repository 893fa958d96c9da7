/** `vigil events list`: the events of a subscription or a resource. */
import * as Command from "@effect/cli/Command"
import type * as HealthClient from "@vigil/health-client/HealthClient"
import type * as Listing from "@vigil/health-client/Listing"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { UsageError } from "../Failure.js"
import * as Format from "../output/Format.js"
import { Output } from "../output/Output.js"
import * as Connection from "../settings/Connection.js"
import * as Entry from "./Entry.js"
import * as Source from "./Source.js"

type EventPage = Listing.EventPage<ApiVersion.ApiVersion>

/** What was listed, in numbers. */
interface Tally {
  readonly events: number
  readonly pages: number
  readonly invalid: number
}

const none: Tally = { events: 0, pages: 0, invalid: 0 }

const tally = (sum: Tally, page: EventPage): Tally => ({
  events: sum.events + page.items.length + page.invalid.length,
  pages: sum.pages + 1,
  invalid: sum.invalid + page.invalid.length,
})

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`

const summary = ({ events, invalid, pages }: Tally) =>
  `${plural(events, "event")} on ${plural(pages, "page")}, ${invalid} invalid`

/** The pages that the flags ask for. */
const select = (
  connection: Connection.Connection<HealthClient.Service>,
  options: { readonly subscription: Option.Option<string>; readonly resource: Option.Option<string> },
  apiVersion: ApiVersion.ApiVersion,
) =>
  Effect.gen(function* () {
    if (Option.isNone(options.resource))
      return connection.client.pagesBySubscription(
        yield* Source.subscriptionOf(connection, options.subscription, "--subscription ID or --resource ID"),
        { apiVersion },
      )
    if (Option.isSome(options.subscription))
      return yield* new UsageError({ message: "--subscription and --resource exclude each other: give one of them." })
    return connection.client.pagesByResource(yield* Source.resourceOf(options.resource.value), { apiVersion })
  })

/** The command. */
export const command = Command.make(
  "list",
  {
    ...Connection.flags,
    subscription: Source.subscription,
    resource: Source.resource,
    apiVersion: Source.apiVersion,
    output: Format.flag,
  },
  ({ apiVersion, output: format, ...flags }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const pages = yield* select(yield* Connection.health(flags), flags, apiVersion)
        const output = yield* Output
        let sum = none
        const entries = Stream.mapEffect(pages, (page) => {
          sum = tally(sum, page)
          return Effect.as(Entry.warn(page), Entry.ofPage(page))
        })
        yield* Format.list(format, Entry.shape, entries)
        yield* output.note(summary(sum))
      }),
    ),
).pipe(
  Command.withDescription(
    "List the health events of a subscription (those that were updated in the last three days) or of a resource, all pages.",
  ),
)
