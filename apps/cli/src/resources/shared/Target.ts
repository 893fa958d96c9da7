/** The resource of a command: by its ID, or by its name in the subscriptions. */
import * as Scope from "@vigil/health-client/Scope"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Listing from "@vigil/health-client/Listing"
import * as Explain from "@vigil/health-tools/Explain"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { CommandError } from "../../command/CommandError.js"
import { plain } from "../../command/Failure.js"
import * as Connection from "../../connection/Connection.js"
import * as Subscriptions from "../../connection/Subscriptions.js"
import * as Flag from "../../flags/Flag.js"
import { UsageError } from "../../flags/UsageError.js"
import * as Format from "../../output/Format.js"
import * as Output from "../../output/Output.js"

export const flags = {
  ...Connection.flags,
  subscription: Subscriptions.repeated,
  apiVersion: Connection.apiVersion,
  output: Format.flag,
}

export const argument: Flag.Argument<string> = {
  ...Flag.text("resource"),
  description: "Name of the resource, or its full ID",
}

/** The IDs of the resources with a name. Case does not matter. */
const named = ({ availability, apiVersion }: Pick<Connection.Health, "apiVersion" | "availability">, name: string) => {
  const isNamed = (status: AvailabilityStatus.AvailabilityStatus) =>
    AvailabilityStatus.resourceName(status)?.toLowerCase() === name.toLowerCase()
  return Effect.fnUntraced(function* (subscription: SubscriptionId) {
    const { pages } = yield* availability
    const ids = Stream.map(pages(Scope.subscription(subscription), { apiVersion }), (page) => ({
      ...page,
      items: page.items.filter(isNamed).map((status) => AvailabilityStatus.resourceId(status) ?? ""),
    }))
    return { ...(yield* Listing.collect(ids, Effect.result)), subscription }
  })
}

const parse = (id: string) =>
  Effect.mapError(
    Effect.fromOption(Explain.parse(id)),
    () =>
      new UsageError("The ID of a resource has the form /subscriptions/ID/resourceGroups/GROUP/providers/TYPE/NAME."),
  )

/** A text with a slash is an ID. Fails if several resources have the name, or none that could be read. */
export const find = Effect.fnUntraced(function* (
  connection: Connection.Health,
  text: string,
  flags: Pick<Subscriptions.Flags, "subscription">,
) {
  if (text.includes("/")) return yield* parse(text)
  const subscriptions = yield* Subscriptions.several(connection, flags)
  const lists = yield* Effect.forEach(subscriptions, named(connection, text), {
    concurrency: Subscriptions.concurrency,
  })
  const complete = lists.filter(({ problem }) => problem === undefined)
  const failed = lists.flatMap(({ problem, subscription }) => (problem ? [{ problem, subscription }] : []))
  const all = complete.flatMap(({ items }) => items)
  const [first, ...more] = new Map(all.map((id) => [ResourceId.key(id), id])).values()
  const [failure, ...others] = failed
  // Without a match, the first failure is the error of the command.
  for (const { problem, subscription } of first === undefined && subscriptions.length === 1 ? others : failed)
    yield* Output.note(`${Output.notePrefix(connection.names.label(subscription))}${plain(problem)}`)
  if (more.length > 0)
    return yield* new UsageError(
      `${more.length + 1} resources have the name ${JSON.stringify(text)}. Pass an ID: ${[first, ...more].slice(0, 5).join(" ")}`,
    )
  const found = Explain.parse(first ?? "")
  if (Option.isSome(found)) return found.value
  if (failure !== undefined) return yield* failure.problem
  const invalid = complete.reduce((sum, { invalid }) => sum + invalid.length, 0)
  const where = `of ${Output.plural(subscriptions.length, "subscription")} has the name ${JSON.stringify(text)}`
  return yield* invalid === 0
    ? new CommandError(
        "notFound",
        `No resource ${where}. It may be deleted, or in another subscription: pass --subscription, or its ID.`,
      )
    : new CommandError(
        "invalid",
        `No valid resource ${where}, but ${Output.plural(invalid, "entry", "entries")} could not be read. Pass its ID.`,
      )
})
