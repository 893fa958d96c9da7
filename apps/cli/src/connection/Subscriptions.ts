/** The subscriptions of a command: those of its flags or of a file, else that of the sandbox or the settings. */
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import * as Flag from "../flags/Flag.js"
import { UsageError } from "../flags/UsageError.js"
import * as Settings from "../settings/Settings.js"
import type { SubscriptionNames } from "../settings/SubscriptionNames.js"
import type * as Connection from "./Connection.js"

export const flag = Flag.optional(Flag.text("id"), "ID or name (default: from the settings or --sandbox)", "s")

export const repeated = Flag.repeated(
  Flag.text("id"),
  "ID or name; repeatable (default: from the settings or --sandbox)",
  "s",
)

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

/** The subscription of the flag, the sandbox or the settings. */
export const one = Effect.fnUntraced(function* ({ names, sandbox }: Connected, named: string | undefined) {
  if (named !== undefined) return yield* Settings.parseSubscription(names, named, "--subscription")
  // The subscription of the settings does not exist in the sandbox.
  if (sandbox !== undefined) return SubscriptionId.make(sandbox.world.subscriptions[0].id)
  const setting = yield* Settings.get("subscription")
  return yield* setting === undefined
    ? new UsageError(
        `No subscription is configured: run vigil init, set ${Settings.variable("subscription")}, or pass --subscription ID.`,
      )
    : Settings.subscription(setting.value, setting.from.name)
})

/** Without duplicates: IDs are case-insensitive. Keeps the first spelling. */
export const distinct = (
  ids: Iterable<SubscriptionId.SubscriptionId>,
): ReadonlyArray<SubscriptionId.SubscriptionId> => {
  const all = new Map<string, SubscriptionId.SubscriptionId>()
  for (const id of ids) if (!all.has(id.toLowerCase())) all.set(id.toLowerCase(), id)
  return [...all.values()]
}

/** Reads a file of subscriptions, or stdin for `-`. */
export const readFile = Effect.fnUntraced(function* (file: string, names: SubscriptionNames) {
  // Loaded only with such a file.
  const { read } = yield* Effect.promise(() => import("./SubscriptionsFile.js"))
  return distinct(yield* read(file, names))
})

/** The subscriptions of the flags without duplicates, else that of `one`. */
export const several = Effect.fnUntraced(function* (connection: Connected, flags: Flags) {
  const { subscription, subscriptionsFile } = flags
  if (subscriptionsFile !== undefined) return yield* readFile(subscriptionsFile, connection.names)
  if (subscription.length === 0) return [yield* one(connection, undefined)]
  const parse = (text: string) => Settings.parseSubscription(connection.names, text, "--subscription")
  return distinct(yield* Effect.forEach(subscription, parse))
})

/** Returns a function that makes a command for an event of the subscription, by its tracking ID. It works in a new shell. */
export const showEvent =
  ({ sandbox }: Pick<Connected, "sandbox">, subscription: string, flags: string) =>
  (trackingId: string): string =>
    `vigil events show ${trackingId} ${flags} --subscription ${subscription}${sandbox === undefined ? "" : " --sandbox"}`
