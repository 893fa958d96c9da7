/** The subscriptions of a command: those of its flags or of a file, else all of the sandbox or the settings. */
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Suggestion from "@vigil/health-text/Suggestion"
import * as Effect from "effect/Effect"
import * as Shell from "../command/Shell.js"
import * as Flag from "../flags/Flag.js"
import { UsageError } from "../flags/UsageError.js"
import { enumerateSome, note } from "../output/Output.js"
import * as Settings from "../settings/Settings.js"
import * as SubscriptionList from "../settings/SubscriptionList.js"
import { isUuid, type SubscriptionNames } from "../settings/SubscriptionNames.js"
import type * as Connection from "./Connection.js"

export const repeated = Flag.repeated(Flag.text("id"), "ID or name; repeatable (default: all of the settings)", "s")

export const file = Flag.optional(Flag.text("file"), "File with one subscription ID or name per line; - is stdin")

export interface Flags {
  readonly subscription: ReadonlyArray<string>
  readonly subscriptionsFile?: string | undefined
}

/** How many lists of subscriptions are read at once. */
export const concurrency = 8

/** Which flags are given, by their names. */
export const given = ({ subscription, subscriptionsFile }: Flags) => ({
  "--subscription": subscription.length > 0,
  "--subscriptions-file": subscriptionsFile !== undefined,
})

/** Fails if flags exclude each other. */
export const checkFlags = (flags: Flags): Effect.Effect<void, UsageError> => Flag.exclusive(given(flags))

type Connected = Pick<Connection.Health, "names" | "sandbox">

/** Reads a file of subscriptions, or stdin for `-`. */
export const readFile = Effect.fnUntraced(function* (file: string, names: SubscriptionNames) {
  // Loaded only with such a file.
  const { read } = yield* Effect.promise(() => import("./SubscriptionsFile.js"))
  return SubscriptionList.distinct(yield* read(file, names))
})

/** Notes a text that is neither a name nor an ID if a name is similar, or if all IDs are UUIDs. Other texts may be the ID of another subscription. */
export const noteMistake = Effect.fnUntraced(function* ({ all, idOf }: SubscriptionNames, text: string) {
  if (idOf(text) !== text || isUuid(text) || all.some(({ id }) => id.toLowerCase() === text.toLowerCase())) return
  const { subscriptions } = yield* Settings.Settings
  const quote = (name: string) => JSON.stringify(name)
  const names = all.map(({ name }) => name)
  const ids = names.length > 0 ? all.map(({ id }) => id) : (subscriptions?.texts ?? [])
  const known = names.length > 0 ? ` The names are ${enumerateSome(names.map(quote))}.` : " The settings have only IDs."
  const hint = Suggestion.question(text, names, quote) || (ids.length > 0 && ids.every(isUuid) ? known : "")
  if (hint !== "") yield* note(`vigil: No subscription has the name ${quote(text)}.${hint}`)
})

const parse = (names: SubscriptionNames, from: string) => (text: string) =>
  Effect.tap(Settings.parseSubscription(names, text, from), noteMistake(names, text))

/** The subscriptions of the sandbox, else of the settings. */
const all = Effect.fnUntraced(function* ({ sandbox }: Connected) {
  // The subscriptions of the settings do not exist in the sandbox.
  if (sandbox !== undefined) return sandbox.world.subscriptions.map(({ id }) => SubscriptionId.make(id))
  const { names, subscriptions } = yield* Settings.Settings
  if (subscriptions === undefined)
    return yield* new UsageError(
      `No subscription is configured: run vigil init, set ${SubscriptionList.variable}, or pass --subscription ID.`,
    )
  const from = Settings.describe("subscriptions", subscriptions.from)
  yield* SubscriptionList.check(subscriptions.parts ?? [], from)
  return yield* Effect.forEach(subscriptions.texts, parse(names, from))
})

/** The subscriptions of the flags, else all of the sandbox or the settings. Each once. */
export const several = Effect.fnUntraced(function* (connection: Connected, flags: Flags) {
  const { subscription, subscriptionsFile } = flags
  const { names } = connection
  if (subscriptionsFile !== undefined) {
    const ids = yield* readFile(subscriptionsFile, names)
    yield* Effect.forEach(ids, (id) => noteMistake(names, id), { discard: true })
    return ids
  }
  if (subscription.length === 0) return SubscriptionList.distinct(yield* all(connection))
  return SubscriptionList.distinct(yield* Effect.forEach(subscription, parse(names, "--subscription")))
})

/** Returns a function that makes a command for an event of the subscription, or of whom no subscription has, by its tracking ID. The command has the name of the subscription, if it has one of its own. */
export const showEvent =
  (
    connection: Shell.Connection & Pick<Connected, "names">,
    subscription: string | undefined,
    ...flags: ReadonlyArray<string>
  ) =>
  (trackingId: string): string => {
    const label = subscription === undefined ? undefined : connection.names.label(subscription)
    return Shell.vigil(connection, "events show", [trackingId], [...flags, ...Shell.flag("--subscription", label)])
  }
