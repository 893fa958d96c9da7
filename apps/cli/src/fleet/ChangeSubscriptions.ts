/** `vigil fleet add`, `remove`, `pause` and `resume`: change the subscriptions of a fleet. */
import type * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import type { FleetError } from "@vigil/health-fleet/FleetError"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Command from "../command/Command.js"
import { CommandError } from "../command/CommandError.js"
import * as Confirmation from "../command/Confirmation.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import * as Flag from "../flags/Flag.js"
import { UsageError } from "../flags/UsageError.js"
import * as Format from "../output/Format.js"
import { Output, plural } from "../output/Output.js"
import type * as Printable from "../output/Printable.js"
import * as Settings from "../settings/Settings.js"
import * as SubscriptionList from "../settings/SubscriptionList.js"
import * as Database from "./shared/Database.js"

type Ids = ReadonlyArray<SubscriptionId.SubscriptionId>

interface Row {
  readonly subscription: string
  readonly result: string
}

const definition = (label: (id: string) => string): Printable.Definition<Row> => ({
  columns: [
    { heading: "SUBSCRIPTION", minWidth: 12, cell: ({ subscription }) => label(subscription) },
    { heading: "RESULT", field: "result" },
  ],
  fields: { subscription: ({ subscription }) => subscription, result: ({ result }) => result },
})

const args = {
  subscriptions: { ...Flag.text("subscription"), description: "Subscription IDs or names", isRest: true },
} as const

const flags = {
  database: Database.flag,
  subscriptionsFile: Subscriptions.file,
  output: Format.flag,
}

interface Named {
  readonly subscriptions: ReadonlyArray<string>
  readonly subscriptionsFile: string | undefined
}

/** The subscriptions of the arguments or the file, without duplicates. */
const read = Effect.fnUntraced(function* ({ subscriptions, subscriptionsFile }: Named) {
  const { names } = yield* Settings.Settings
  if (subscriptionsFile === undefined)
    return subscriptions.length > 0
      ? SubscriptionList.distinct(
          yield* Effect.forEach(subscriptions, (text) => Settings.parseSubscription(names, text, "<subscription>")),
        )
      : yield* new UsageError("No subscriptions are given: pass their IDs, or --subscriptions-file FILE.")
  return subscriptions.length > 0
    ? yield* new UsageError("Subscription IDs and --subscriptions-file are mutually exclusive: pass one of them.")
    : yield* Subscriptions.readFile(subscriptionsFile, names)
})

/** What a command does to subscriptions. */
interface Words {
  /** For the notes, such as `added`. */
  readonly past: string
  /** For each changed subscription. Default: `past`. */
  readonly result?: string
  /** Why a known subscription may be unchanged. */
  readonly otherwise: string
}

interface Outcome {
  readonly ids: Ids
  readonly changed: ReadonlyArray<string>
  /** The subscriptions that the fleet watches. */
  readonly known: ReadonlyArray<string>
}

const lowerCase = (ids: ReadonlyArray<string>): ReadonlySet<string> => new Set(ids.map((id) => id.toLowerCase()))

/** Prints each subscription with its result, and notes those that were not changed. Fails if some are unknown. */
const printOutcome = Effect.fnUntraced(function* (
  format: Format.Format,
  outcome: Outcome,
  { otherwise, past, result = past }: Words,
) {
  const { note } = yield* Output
  const [changed, known] = [lowerCase(outcome.changed), lowerCase(outcome.known)]
  const rows = outcome.ids.map((subscription) => ({
    subscription,
    result: changed.has(subscription.toLowerCase())
      ? result
      : known.has(subscription.toLowerCase())
        ? "unchanged"
        : "unknown",
  }))
  const { names } = yield* Settings.Settings
  yield* Format.list(format, definition(names.label), Stream.make(rows))
  const count = (result: string) => rows.filter((row) => row.result === result).length
  const [unchanged, unknown] = [count("unchanged"), count("unknown")]
  yield* note(`${plural(changed.size, "subscription")} ${past}`)
  if (unchanged > 0) yield* note(`vigil: ${plural(unchanged, "subscription")} unchanged: ${otherwise}.`)
  if (unknown > 0)
    return yield* new CommandError(
      "incomplete",
      `The fleet does not watch ${unknown} of ${plural(rows.length, "subscription")}. Check the IDs.`,
    )
})

type Modules = Effect.Success<typeof Database.modules>

const knownIds = ({ subscriptions }: Pick<Modules, "subscriptions">) =>
  Effect.map(subscriptions, (all) => all.map(({ id }) => id))

interface Options extends Words {
  readonly name: string
  readonly description: string
  /** Returns the changed subscriptions and those that it knows. */
  readonly operation: (modules: Modules, ids: Ids) => Effect.Effect<Omit<Outcome, "ids">, FleetError, SqlClient>
}

const make = ({ description, name, operation, ...words }: Options): Command.Command =>
  Command.make({
    description,
    examples: [`vigil fleet ${name} sub-1 sub-2`, `vigil fleet ${name} --subscriptions-file subscriptions.txt`],
    flags,
    args,
    run: function* ({ database, output: format, ...named }) {
      const ids = yield* read(named)
      const { sql, ...modules } = yield* Database.connect(database)
      const outcome = yield* Effect.provide(operation(modules, ids), sql)
      yield* printOutcome(format, { ids, ...outcome }, words)
    },
  })

export const add = make({
  name: "add",
  description: "Add subscriptions to a fleet.",
  past: "added",
  otherwise: "the fleet watches it already",
  operation: ({ add, migrateDatabase }, ids) =>
    Effect.map(Effect.andThen(migrateDatabase, add(ids)), (changed) => ({ changed, known: ids })),
})

export const pause = make({
  name: "pause",
  description: "Pause polling of subscriptions of a fleet.",
  past: "paused",
  otherwise: "already paused",
  operation: (modules, ids) => Effect.all({ changed: modules.pause(ids), known: knownIds(modules) }),
})

export const resume = make({
  name: "resume",
  description: "Resume polling of paused subscriptions of a fleet at once.",
  past: "resumed",
  otherwise: "not paused",
  operation: (modules, ids) => Effect.all({ changed: modules.resume(ids), known: knownIds(modules) }),
})

export const remove = Command.make({
  description:
    "Remove subscriptions from a fleet, with the stored state of their events. Pending notifications are still sent. Asks for confirmation.",
  examples: ["vigil fleet remove sub-1 --dry-run", "vigil fleet remove sub-1 sub-2 --yes"],
  flags: {
    ...flags,
    yes: Confirmation.flags.yes,
    dryRun: Flag.boolean("Print the subscriptions without removing them"),
  },
  args,
  run: function* ({ database, dryRun, output: format, yes, ...named }) {
    const ids = yield* read(named)
    const { sql, ...modules } = yield* Database.connect(database)
    const known = lowerCase(yield* Effect.provide(knownIds(modules), sql))
    const found = ids.filter((id) => known.has(id.toLowerCase()))
    const otherwise = "removed by someone else"
    const print = (changed: ReadonlyArray<string>, words: Omit<Words, "otherwise">) =>
      printOutcome(format, { ids, changed, known: found }, { ...words, otherwise })
    if (dryRun) return yield* print(found, { result: "would-remove", past: "would be removed" })
    const plan = `${plural(found.length, "subscription")} will be removed from the fleet, with the state of their events.`
    if (found.length > 0) yield* Confirmation.require(plan, { yes, done: "removed", preview: "--dry-run to list them" })
    yield* print(found.length === 0 ? [] : yield* Effect.provide(modules.remove(found), sql), { past: "removed" })
  },
})
