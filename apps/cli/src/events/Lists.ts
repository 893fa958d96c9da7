/** The lists that flags select: one per subscription, or that of a resource. */
import type * as Checkpoint from "@vigil/health-client/Checkpoint"
import type * as HealthClient from "@vigil/health-client/HealthClient"
import type * as Listing from "@vigil/health-client/Listing"
import type { ResourceUri } from "@vigil/health-client/ResourceUri"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import { UsageError } from "../Failure.js"
import type * as Connection from "../settings/Connection.js"
import * as Source from "./Source.js"

export interface Flags {
  readonly subscription: ReadonlyArray<SubscriptionId>
  readonly resource: Option.Option<ResourceUri>
  readonly since: Option.Option<unknown>
}

export type Query = Listing.SubscriptionQuery<ApiVersion.ApiVersion>

export interface List {
  readonly id: string
  readonly pages: (
    from: Checkpoint.Checkpoint | undefined,
  ) => Stream.Stream<Listing.EventPage<ApiVersion.ApiVersion>, Listing.PagesError>
}

/** Fails if flags exclude each other. */
export const check = ({ resource, since, subscription }: Flags): Effect.Effect<void, UsageError> => {
  if (Option.isNone(resource)) return Effect.void
  if (subscription.length > 0)
    return new UsageError("--subscription and --resource are mutually exclusive: pass one of them.")
  return Option.isSome(since)
    ? new UsageError(
        "--since and --resource are mutually exclusive: the service does not filter the events of a resource by time.",
      )
    : Effect.void
}

export const make = (
  connection: Connection.Connection<HealthClient.Service>,
  flags: Flags,
  query: Query,
): Effect.Effect<ReadonlyArray<List>, UsageError> =>
  Effect.gen(function* () {
    const { client } = connection
    if (Option.isSome(flags.resource)) {
      const id = flags.resource.value
      return [{ id, pages: (from) => client.pagesByResource(id, { ...query, from }) }]
    }
    const ids = yield* Source.subscriptionsOf(connection, flags.subscription, "--subscription ID or --resource ID")
    return ids.map((id) => ({ id, pages: (from) => client.pagesBySubscription(id, { ...query, from }) }))
  })
