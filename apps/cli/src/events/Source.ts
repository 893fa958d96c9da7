/** Whose events a command reads, and through which version of the API. */
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import type * as HealthClient from "@vigil/health-client/HealthClient"
import * as ResourceUri from "@vigil/health-client/ResourceUri"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as TrackingId from "@vigil/health-client/TrackingId"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { UsageError } from "../Failure.js"
import type * as Connection from "../settings/Connection.js"
import * as Settings from "../settings/Settings.js"

/** The flag for a subscription. */
export const subscription = Options.text("subscription").pipe(
  Options.withAlias("s"),
  Options.withDescription(
    "The subscription whose events are read. Default: that of the settings; with --sandbox, its first one.",
  ),
  Options.withPseudoName("id"),
  Options.optional,
)

/** The flag for subscriptions, one after the other. */
export const subscriptions = Options.text("subscription").pipe(
  Options.withAlias("s"),
  Options.withDescription(
    "The subscription whose events are read; given several times, one after the other. Default with --sandbox: its first one.",
  ),
  Options.withPseudoName("id"),
  Options.repeated,
)

/** The flag for the version of the API, without the settings. */
export const apiVersionFlag = Options.choice("api-version", ApiVersion.all).pipe(
  Options.withDescription(`The version of the API. Default: that of the settings, else ${ApiVersion.latest}.`),
  Options.optional,
)

/** The version of the API: that of the flag, else that of the settings. */
export const apiVersion = apiVersionFlag.pipe(
  Options.mapEffect(
    Option.match({
      onSome: Effect.succeed,
      onNone: () =>
        Effect.mapError(Settings.apiVersion, ({ message }) => ValidationError.invalidValue(HelpDoc.p(message))),
    }),
  ),
)

/** The flag for a resource. */
export const resource = Options.text("resource").pipe(
  Options.withAlias("r"),
  Options.withDescription("The resource whose events are read, instead of a subscription."),
  Options.withPseudoName("id"),
  Options.optional,
)

/** The flag for a filter. */
export const filter = Options.text("filter").pipe(
  Options.withDescription("Only events that this expression of the service lets through; sent as it is, as $filter."),
  Options.withPseudoName("expression"),
  Options.optional,
)

const parse = <A, I>(schema: Schema.Schema<A, I>, text: I, flag: string, form: string) =>
  Effect.mapError(
    Schema.decode(schema)(text),
    () => new UsageError({ message: `${flag} ${JSON.stringify(text)} is not valid: give ${form}.` }),
  )

/** Reads a subscription's ID; `from` names the flag or the setting. */
export const parseSubscription = (id: string, from: string): Effect.Effect<SubscriptionId.SubscriptionId, UsageError> =>
  parse(SubscriptionId.SubscriptionId, id, from, "one id without slashes")

/** The subscription of the flag, else the sandbox's first, else that of the settings. `missing` names the flags to give. */
export const subscriptionOf = (
  { sandbox }: Pick<Connection.Connection<HealthClient.Service>, "sandbox">,
  named: Option.Option<string>,
  missing = "--subscription ID",
): Effect.Effect<SubscriptionId.SubscriptionId, UsageError> =>
  Effect.gen(function* () {
    if (Option.isSome(named)) return yield* parseSubscription(named.value, "--subscription")
    // The settings are about a real service, and the sandbox has none of its subscriptions.
    if (Option.isSome(sandbox))
      return yield* parseSubscription(sandbox.value.world.subscriptions[0].id, "--subscription")
    const setting = yield* Settings.get("subscription")
    return Option.isSome(setting)
      ? yield* parseSubscription(setting.value.value, setting.value.from.name)
      : yield* new UsageError({
          message: `No subscription is given: set ${Settings.variable("subscription")}, or give ${missing}.`,
        })
  })

/** The subscriptions of the flag, each once, else the sandbox's first. */
export const subscriptionsOf = (
  connection: Connection.Connection<HealthClient.Service>,
  named: ReadonlyArray<string>,
  missing: string,
): Effect.Effect<ReadonlyArray<SubscriptionId.SubscriptionId>, UsageError> =>
  named.length === 0
    ? Effect.map(subscriptionOf(connection, Option.none(), missing), (id) => [id])
    : Effect.forEach(new Set(named), (id) => subscriptionOf(connection, Option.some(id)))

/** An event's tracking id. */
export const trackingIdOf = (id: string): Effect.Effect<TrackingId.TrackingId, UsageError> =>
  parse(TrackingId.TrackingId, id, "The tracking id", "one such as AB12-CD3, as vigil events list shows it")

/** A resource's id. */
export const resourceOf = (id: string): Effect.Effect<ResourceUri.ResourceUri, UsageError> =>
  parse(ResourceUri.ResourceUri, id, "--resource", "a resource's full id, such as /subscriptions/…/providers/…")
