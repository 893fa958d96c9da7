/** The resource of a command: by its ID, or by its name in the subscriptions. */
import { AvailabilityClient } from "@vigil/health-client/AvailabilityClient"
import * as ListLimit from "@vigil/health-client/ListLimit"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Suggestion from "@vigil/health-text/Suggestion"
import { type Gap, empty } from "@vigil/health-verdict/Evidence"
import * as Explain from "@vigil/health-verdict/Explain"
import * as ResourceName from "@vigil/health-verdict/ResourceName"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CommandError } from "../../command/CommandError.js"
import { exitOfSeveral, plain } from "../../command/Failure.js"
import * as Shell from "../../command/Shell.js"
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

const parse = (id: string) =>
  Effect.mapError(
    Effect.fromOption(Explain.parse(id)),
    () =>
      new UsageError("The ID of a resource has the form /subscriptions/ID/resourceGroups/GROUP/providers/TYPE/NAME."),
  )

/** The words of the command that needs a resource. */
type Command = "resources show" | "why"

/** How many resources an error names. */
const maxNamed = 5

/** Fails for a name that several resources have, and prints the command for each. */
const ambiguous = Effect.fnUntraced(function* (
  connection: Connection.Health,
  command: Command,
  name: string,
  ids: ReadonlyArray<string>,
) {
  const bySubscription = Map.groupBy(ids, (id) => ResourceId.subscription(id)?.toLowerCase())
  const start = ids.length > maxNamed ? `The first ${maxNamed}` : "Choose one"
  yield* Output.note(`vigil: ${ids.length} resources have the name ${JSON.stringify(name)}. ${start}:`)
  for (const id of ids.slice(0, maxNamed)) {
    const subscription = ResourceId.subscription(id)
    const isOnly = bySubscription.size > 1 && bySubscription.get(subscription?.toLowerCase())?.length === 1
    const label = isOnly && subscription !== undefined ? connection.names.label(subscription) : undefined
    const words = [label === undefined ? id : name]
    yield* Output.note(Shell.vigil(connection, command, words, Shell.flag("--subscription", label)))
  }
  return yield* new CommandError("usage", "")
})

/** A resource, and what was not read of the lists in which its name was searched: another one may have it. */
interface Found extends Explain.Target {
  readonly sameName: Gap
}

/** A text with a slash is an ID. Fails if several resources have the name, or none that could be read. */
export const find = Effect.fnUntraced(function* (
  connection: Connection.Health,
  command: Command,
  text: string,
  flags: Pick<Subscriptions.Flags, "subscription">,
  timeout = connection.listTimeout,
) {
  if (text.includes("/")) return { ...(yield* parse(text)), sameName: empty } satisfies Found
  const subscriptions = yield* Subscriptions.several(connection, flags)
  const { ids, lists, names } = yield* ResourceName.find(text, subscriptions, {
    apiVersion: connection.apiVersion,
    attempt: (list) => Effect.result(ListLimit.within(timeout)(list)),
    concurrency: Subscriptions.concurrency,
  }).pipe(Effect.provideServiceEffect(AvailabilityClient, connection.availability))
  const failed = lists.flatMap(({ problem, subscription }) => {
    if (problem === undefined) return []
    const text = `${connection.names.label(subscription)}: ${plain(problem)}`
    return [{ problem, text, note: `${Output.notePrefix()}${text}` }]
  })
  const [first, ...more] = ids
  const [failure, ...others] = failed
  // Without a match, the failure of the only subscription is the error of the command.
  for (const { note } of first === undefined && subscriptions.length === 1 ? others : failed) yield* Output.note(note)
  if (first !== undefined && more.length > 0) return yield* ambiguous(connection, command, text, [first, ...more])
  const found = Explain.parse(first ?? "")
  const invalid = lists.reduce((sum, { invalid }) => sum + invalid, 0)
  const problem = failed.map(({ text }) => text).join(" ") || undefined
  if (Option.isSome(found)) return { ...found.value, sameName: { invalid, problem } } satisfies Found
  if (failure !== undefined && subscriptions.length === 1) return yield* failure.problem
  if (failure !== undefined)
    return yield* new CommandError(
      exitOfSeveral(
        failed.map(({ problem }) => problem),
        subscriptions.length,
      ),
      `No resource that could be read has the name ${JSON.stringify(text)}: ${failed.length} of ${Output.plural(subscriptions.length, "subscription")} failed, see above.`,
    )
  const where = `of ${connection.names.summary(subscriptions)} has the name ${JSON.stringify(text)}`
  return yield* invalid === 0
    ? new CommandError(
        "notFound",
        `No resource ${where}.${Suggestion.question(text, names, (name) => JSON.stringify(name))} It may be deleted, or in another subscription: pass --subscription, or its ID.`,
      )
    : new CommandError(
        "invalid",
        `No valid resource ${where}, but ${Output.plural(invalid, "entry", "entries")} could not be read. Pass its ID.`,
      )
})
