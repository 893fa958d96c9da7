/** `vigil events`: service health events. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type * as HealthClient from "@vigil/health-client/HealthClient"
import type * as Listing from "@vigil/health-client/Listing"
import * as ResourceUri from "@vigil/health-client/ResourceUri"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Connection from "./Connection.js"
import * as EventTable from "./EventTable.js"
import { UsageError } from "./Failure.js"
import * as Json from "./Json.js"
import { Output } from "./Output.js"
import * as Table from "./Table.js"

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

/** Everything that stood on the page, in its order: what is no event is passed on as it was sent. */
const asSent = ({ invalid, items }: EventPage): ReadonlyArray<unknown> => {
  const entries: Array<unknown> = [...items]
  for (const { index, raw } of invalid) entries.splice(index, 0, raw)
  return entries
}

const warn = (page: EventPage) =>
  Effect.flatMap(Output, (output) =>
    Effect.forEach(
      page.invalid,
      ({ index, path, reason }) =>
        output.note(`vigil: entry ${index} of a page is no event: ${path === "" ? "it" : path} ${reason}`),
      { discard: true },
    ),
  )

/**
 * Prints the events as a JSON array, an event a line, page by page. A list that breaks off is left open, and no list at
 * all is no output: neither can be taken for all that there is.
 */
const printJson = <E>(pages: Stream.Stream<EventPage, E>) =>
  Effect.gen(function* () {
    const output = yield* Output
    const total = yield* Stream.runFoldEffect(pages, none, (sum, page) => {
      const lines = asSent(page).map((entry, index) => `${sum.events + index === 0 ? " " : ","}${Json.line(entry)}`)
      return output
        .data(sum.pages === 0 ? ["[", ...lines] : lines)
        .pipe(Effect.zipRight(warn(page)), Effect.as(tally(sum, page)))
    })
    yield* output.data(["]"])
    yield* output.note(summary(total))
  })

const printRows = ({ data, width }: Context.Tag.Service<Output>, rows: ReadonlyArray<ReadonlyArray<string>>) =>
  data(Table.render(EventTable.columns, rows, width))

/** Prints the events as a table, and how many there were. What came before a list breaks off is printed as well. */
const printTable = <E>(pages: Stream.Stream<EventPage, E>) =>
  Effect.gen(function* () {
    const output = yield* Output
    const rows: Array<ReadonlyArray<string>> = []
    const total = yield* Stream.runFoldEffect(pages, none, (sum, page) => {
      for (const event of page.items) rows.push(EventTable.row(event))
      return Effect.as(warn(page), tally(sum, page))
    }).pipe(Effect.tapError(() => (rows.length === 0 ? Effect.void : printRows(output, rows))))
    yield* printRows(output, rows)
    yield* output.data(["", summary(total)])
  })

const parse = <A, I>(schema: Schema.Schema<A, I>, text: I, flag: string, form: string) =>
  Effect.mapError(
    Schema.decode(schema)(text),
    () => new UsageError({ message: `${flag} ${JSON.stringify(text)} is not valid: give ${form}.` }),
  )

/** The pages that the flags ask for. */
const select = (
  { client, sandbox }: Connection.Connection<HealthClient.Service>,
  options: { readonly subscription: Option.Option<string>; readonly resource: Option.Option<string> },
  apiVersion: ApiVersion.ApiVersion,
) =>
  Effect.gen(function* () {
    if (Option.isSome(options.resource)) {
      if (Option.isSome(options.subscription))
        return yield* new UsageError({ message: "--subscription and --resource exclude each other: give one of them." })
      const form = "a resource's full id, such as /subscriptions/…/providers/…"
      const uri = yield* parse(ResourceUri.ResourceUri, options.resource.value, "--resource", form)
      return client.pagesByResource(uri, { apiVersion })
    }
    const subscription = Option.orElse(options.subscription, () =>
      Option.map(sandbox, ({ world }) => world.subscriptions[0].id),
    )
    if (Option.isNone(subscription))
      return yield* new UsageError({ message: "Whose events? Give --subscription ID or --resource ID." })
    const form = "one id without slashes"
    const id = yield* parse(SubscriptionId.SubscriptionId, subscription.value, "--subscription", form)
    return client.pagesBySubscription(id, { apiVersion })
  })

const list = Command.make(
  "list",
  {
    ...Connection.flags,
    subscription: Options.text("subscription").pipe(
      Options.withAlias("s"),
      Options.withDescription("The subscription whose events are listed. Default with --sandbox: its first one."),
      Options.withPseudoName("id"),
      Options.optional,
    ),
    resource: Options.text("resource").pipe(
      Options.withAlias("r"),
      Options.withDescription("The resource whose events are listed, instead of a subscription."),
      Options.withPseudoName("id"),
      Options.optional,
    ),
    apiVersion: Options.choice("api-version", ApiVersion.all).pipe(
      Options.withDescription("The version of the API."),
      Options.withDefault(ApiVersion.latest),
    ),
    output: Options.choice("output", ["table", "json"]).pipe(
      Options.withAlias("o"),
      Options.withDescription("How the events are printed; json is what the service sent, event by event."),
      Options.withDefault("table"),
    ),
  },
  ({ apiVersion, output, ...flags }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const pages = yield* select(yield* Connection.health(flags), flags, apiVersion)
        yield* output === "json" ? printJson(pages) : printTable(pages)
      }),
    ),
).pipe(
  Command.withDescription(
    "List the health events of a subscription (those that were updated in the last three days) or of a resource, all pages.",
  ),
)

/** The command with its subcommands. */
export const command = Command.make("events").pipe(
  Command.withDescription("Service health events."),
  Command.withSubcommands([list]),
)
