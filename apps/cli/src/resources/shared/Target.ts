/** The resource of a command: by its ID, or by its name in the subscriptions. */
import * as Listing from "@vigil/health-client/Listing"
import * as Scope from "@vigil/health-client/Scope"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import { type Gap, empty } from "@vigil/health-report/Evidence"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Explain from "@vigil/health-tools/Explain"
import * as Clock from "effect/Clock"
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

type Connected = Pick<Connection.Health, "apiVersion" | "availability">

/** The IDs of the resources with a name, read until `deadline`. Case does not matter. */
const named = ({ availability, apiVersion }: Connected, name: string, deadline: number) => {
  const isNamed = (status: AvailabilityStatus.AvailabilityStatus) =>
    AvailabilityStatus.resourceName(status)?.toLowerCase() === name.toLowerCase()
  return Effect.fnUntraced(function* (subscription: SubscriptionId) {
    const { pages } = yield* availability
    const ids = Stream.map(pages(Scope.subscription(subscription), { apiVersion }), (page) => ({
      ...page,
      items: page.items.filter(isNamed).map((status) => AvailabilityStatus.resourceId(status) ?? ""),
    }))
    const now = yield* Clock.currentTimeMillis
    const late = new CommandError("unavailable", "The resources could not be listed in time. Pass an ID.")
    const list = yield* Listing.collect(ids, (list) =>
      Effect.result(
        Effect.timeoutOrElse(list, { duration: Math.max(0, deadline - now), orElse: () => Effect.fail(late) }),
      ),
    )
    return { ...list, subscription }
  })
}

const parse = (id: string) =>
  Effect.mapError(
    Effect.fromOption(Explain.parse(id)),
    () =>
      new UsageError("The ID of a resource has the form /subscriptions/ID/resourceGroups/GROUP/providers/TYPE/NAME."),
  )

/** A resource, and what was not read of the lists in which its name was searched: another one may have it. */
interface Found extends Explain.Target {
  readonly sameName: Gap
}

/** A text with a slash is an ID. Fails if several resources have the name, or none that could be read until `deadline`. */
export const find = Effect.fnUntraced(function* (
  connection: Connection.Health,
  text: string,
  flags: Pick<Subscriptions.Flags, "subscription">,
  deadline = Infinity,
) {
  if (text.includes("/")) return { ...(yield* parse(text)), sameName: empty } satisfies Found
  const subscriptions = yield* Subscriptions.several(connection, flags)
  const lists = yield* Effect.forEach(subscriptions, named(connection, text, deadline), {
    concurrency: Subscriptions.concurrency,
  })
  const failed = lists.flatMap(({ problem, subscription }) => {
    if (problem === undefined) return []
    return [{ problem, note: `${Output.notePrefix(connection.names.label(subscription))}${plain(problem)}` }]
  })
  const all = lists.flatMap(({ items }) => items)
  const [first, ...more] = new Map(all.map((id) => [ResourceId.key(id), id])).values()
  const [failure, ...others] = failed
  // Without a match, the first failure is the error of the command.
  for (const { note } of first === undefined && subscriptions.length === 1 ? others : failed) yield* Output.note(note)
  if (more.length > 0)
    return yield* new UsageError(
      `${more.length + 1} resources have the name ${JSON.stringify(text)}. Pass an ID: ${[first, ...more].slice(0, 5).join(" ")}`,
    )
  const found = Explain.parse(first ?? "")
  const invalid = lists.reduce((sum, { invalid }) => sum + invalid.length, 0)
  const problem = failed.map(({ note }) => note).join(" ") || undefined
  if (Option.isSome(found)) return { ...found.value, sameName: { invalid, problem } } satisfies Found
  if (failure !== undefined) return yield* failure.problem
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
