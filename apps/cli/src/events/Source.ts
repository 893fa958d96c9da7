/** Flags for the subscription, the resource and the API version. */
import type * as HealthClient from "@vigil/health-client/HealthClient"
import * as ResourceUri from "@vigil/health-client/ResourceUri"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as TrackingId from "@vigil/health-client/TrackingId"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { UsageError } from "../Failure.js"
import * as Flag from "../Flag.js"
import type * as Connection from "../settings/Connection.js"
import * as Settings from "../settings/Settings.js"

const subscriptionId = Flag.parsed("id", "one ID without slashes", Schema.decode(SubscriptionId.SubscriptionId))

export const subscription = Flag.optional(
  subscriptionId,
  "The subscription (default: from the settings; the first one of --sandbox)",
  "s",
)

export const subscriptions = Flag.repeated(
  subscriptionId,
  "The subscription; repeatable (default: from the settings; the first one of --sandbox)",
  "s",
)

export const apiVersionFlag = Flag.optional(
  Flag.oneOf(ApiVersion.all),
  `The version of the API (default: from the settings, else ${ApiVersion.latest})`,
)

/** The API version of the flag, else of the settings. */
export const apiVersion: Flag.Flag<ApiVersion.Known> = {
  ...apiVersionFlag,
  read: (texts, from) =>
    Effect.flatMap(
      apiVersionFlag.read(texts, from),
      Option.match({ onSome: Effect.succeed, onNone: () => Settings.apiVersion }),
    ),
}

export const resource = Flag.optional(
  Flag.parsed("id", "a full resource ID, such as /subscriptions/…/providers/…", Schema.decode(ResourceUri.ResourceUri)),
  "The resource whose events are read instead of a subscription's",
  "r",
)

export const filter = Flag.optional(Flag.text("expression"), "Only events that match this $filter; sent as it is")

export const trackingId: Flag.Argument<TrackingId.TrackingId> = {
  ...Flag.parsed("id", "one such as AB12-CD3, as vigil events list shows it", Schema.decode(TrackingId.TrackingId)),
  description: "The tracking ID of the event",
}

export const parseSubscription = subscriptionId.parse

/** The subscription of the flag, the sandbox or the settings. `missing` names the flags to pass. */
export const subscriptionOf = (
  { sandbox }: Pick<Connection.Connection<HealthClient.Service>, "sandbox">,
  named: Option.Option<SubscriptionId.SubscriptionId>,
  missing = "--subscription ID",
): Effect.Effect<SubscriptionId.SubscriptionId, UsageError> =>
  Effect.gen(function* () {
    if (Option.isSome(named)) return named.value
    // The settings are about a real service. The sandbox has none of its subscriptions.
    if (Option.isSome(sandbox)) return SubscriptionId.make(sandbox.value.world.subscriptions[0].id)
    const setting = yield* Settings.get("subscription")
    return Option.isSome(setting)
      ? yield* parseSubscription(setting.value.value, setting.value.from.name)
      : yield* new UsageError({
          message: `No subscription is configured: set ${Settings.variable("subscription")}, or pass ${missing}.`,
        })
  })

/** The subscriptions of the flag without duplicates, else that of `subscriptionOf`. */
export const subscriptionsOf = (
  connection: Connection.Connection<HealthClient.Service>,
  named: ReadonlyArray<SubscriptionId.SubscriptionId>,
  missing: string,
): Effect.Effect<ReadonlyArray<SubscriptionId.SubscriptionId>, UsageError> =>
  named.length === 0
    ? Effect.map(subscriptionOf(connection, Option.none(), missing), (id) => [id])
    : Effect.succeed([...new Set(named)])
