/** Flags for the subscription, the resource and the API version. */
import * as Filter from "@vigil/health-client/Filter"
import * as ResourceUri from "@vigil/health-client/ResourceUri"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as TrackingId from "@vigil/health-client/TrackingId"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Flag from "../kit/Flag.js"
import type * as Connection from "../auth/Connection.js"
import * as Settings from "../settings/Settings.js"
import { UsageError } from "../flags/UsageError.js"

export const subscription = Flag.optional(Flag.text("id"), "ID or name (default: from the settings or --sandbox)", "s")

export const subscriptions = Flag.repeated(
  Flag.text("id"),
  "ID or name; repeatable (default: from the settings or --sandbox)",
  "s",
)

export const apiVersion = Flag.optional(
  Flag.oneOf(ApiVersion.all, "version"),
  `${Flag.either(ApiVersion.all)} (default: from the settings, or ${ApiVersion.latest})`,
)

export const resource = Flag.optional(
  Flag.parsed(
    "id",
    "a full resource ID, such as /subscriptions/…/providers/…",
    Schema.decodeOption(ResourceUri.ResourceUri),
  ),
  "Resource ID, instead of a subscription",
  "r",
)

export const filter = Flag.optional(
  { label: "expression", parse: (text) => Effect.succeed(Filter.raw(text)) },
  "$filter expression, sent to the service unchanged",
)

export const trackingId: Flag.Argument<TrackingId.TrackingId> = {
  ...Flag.parsed("id", "an ID such as AB12-CD3 from vigil events list", Schema.decodeOption(TrackingId.TrackingId)),
  description: "Tracking ID of the event",
}

/** The subscription of the flag, the sandbox or the settings. */
export const subscriptionOf = Effect.fnUntraced(function* (
  { names, sandbox }: Pick<Connection.Health, "names" | "sandbox">,
  named: string | undefined,
) {
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

/** The subscriptions of the flag without duplicates, else that of `subscriptionOf`. */
export const subscriptionsOf = (connection: Connection.Health, named: ReadonlyArray<string>) =>
  Effect.map(
    named.length === 0
      ? Effect.map(subscriptionOf(connection, undefined), (id) => [id])
      : Effect.forEach(named, (text) => Settings.parseSubscription(connection.names, text, "--subscription")),
    distinct,
  )
