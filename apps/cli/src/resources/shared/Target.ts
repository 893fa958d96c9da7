/** The resource of a command: by its ID, or by its name in the subscriptions. */
import * as Scope from "@vigil/availability-client/Scope"
import type { SubscriptionId } from "@vigil/health-listing/SubscriptionId"
import * as Explain from "@vigil/health-tools/Explain"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { CommandError } from "../../command/CommandError.js"
import { plain } from "../../command/Failure.js"
import * as Connection from "../../connection/Connection.js"
import * as Subscriptions from "../../connection/Subscriptions.js"
import * as Flag from "../../flags/Flag.js"
import { UsageError } from "../../flags/UsageError.js"
import * as Format from "../../output/Format.js"
import * as Output from "../../output/Output.js"

/** How many subscriptions are listed at once. */
const concurrency = 8

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
  return Effect.fnUntraced(function* (id: SubscriptionId) {
    const { pages } = yield* availability
    return yield* pages(Scope.subscription(id), { apiVersion }).pipe(
      Stream.runFold(
        () => ({ ids: new Map<string, string>(), invalid: 0 }),
        (found, page) => {
          for (const id of page.items.filter(isNamed).map(AvailabilityStatus.resourceId))
            found.ids.set(id?.toLowerCase() ?? "", id ?? "")
          return { ...found, invalid: found.invalid + page.invalid.length }
        },
      ),
      Effect.result,
      Effect.map((result) => ({ id, result })),
    )
  })
}

/** A text with a slash is an ID. Fails if several resources have the name, or none that could be read. */
export const find = Effect.fnUntraced(function* (
  connection: Connection.Health,
  text: string,
  flags: Pick<Subscriptions.Flags, "subscription">,
) {
  if (text.includes("/")) {
    const found = Explain.parse(text)
    return Option.isSome(found)
      ? found.value
      : yield* new UsageError(
          "The ID of a resource begins with /subscriptions/ID/, such as /subscriptions/…/providers/….",
        )
  }
  const subscriptions = yield* Subscriptions.several(connection, flags)
  const lists = yield* Effect.forEach(subscriptions, named(connection, text), { concurrency })
  const ids = lists.flatMap(({ result }) => (Result.isSuccess(result) ? [...result.success.ids.values()] : []))
  const failed = lists.flatMap(({ id, result }) => (Result.isFailure(result) ? [{ id, error: result.failure }] : []))
  const [failure, ...others] = failed
  // Without a match, the first failure is the error of the command.
  for (const { error, id } of ids.length === 0 && subscriptions.length === 1 ? others : failed)
    yield* Output.note(`${Output.notePrefix(connection.names.label(id))}${plain(error)}`)
  const [first] = ids
  if (ids.length > 1)
    return yield* new UsageError(
      `${ids.length} resources have the name ${JSON.stringify(text)}. Pass an ID: ${ids.slice(0, 5).join(" ")}`,
    )
  const found = Explain.parse(first ?? "")
  if (Option.isSome(found)) return found.value
  if (failure !== undefined) return yield* failure.error
  const invalid = lists.reduce((sum, { result }) => sum + (Result.isSuccess(result) ? result.success.invalid : 0), 0)
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
