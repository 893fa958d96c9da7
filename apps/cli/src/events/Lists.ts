/** The lists that flags select: one per subscription, or that of a resource or the tenant. */
import type * as Checkpoint from "@vigil/health-client/Checkpoint"
import type * as HealthClient from "@vigil/health-client/HealthClient"
import type * as Listing from "@vigil/health-client/Listing"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Values } from "../Command.js"
import { UsageError } from "../Failure.js"
import * as Flag from "../Flag.js"
import { Output } from "../output/Output.js"
import type * as Connection from "../auth/Connection.js"
import type { Settings } from "../settings/Settings.js"
import * as Polling from "./Polling.js"
import * as Source from "./Source.js"

export const flags = {
  subscription: Source.subscriptions,
  resource: Source.resource,
  tenantWide: Flag.boolean("Events of the whole tenant, not of a subscription"),
}

export interface Flags extends Values<typeof flags> {
  readonly since: unknown
}

type Query = Listing.SubscriptionQuery<ApiVersion.ApiVersion>

export interface List {
  readonly id: string
  readonly pages: (
    from: Checkpoint.Checkpoint | undefined,
  ) => Stream.Stream<Listing.EventPage<ApiVersion.ApiVersion>, Listing.PagesError>
}

/** The names of the flags that select lists. */
export const named = ({ resource, subscription, tenantWide }: Omit<Flags, "since">): ReadonlyArray<string> => [
  ...(subscription.length > 0 ? ["--subscription"] : []),
  ...(resource === undefined ? [] : ["--resource"]),
  ...(tenantWide ? ["--tenant-wide"] : []),
]

/** Fails if flags exclude each other. */
export const check = (flags: Flags): Effect.Effect<void, UsageError> => {
  const { resource, since } = flags
  const [first, second] = named(flags)
  if (second !== undefined) return new UsageError(`${first} and ${second} are mutually exclusive: pass one of them.`)
  return resource !== undefined && since !== undefined
    ? new UsageError(
        "--since and --resource are mutually exclusive: the service does not filter the events of a resource by time.",
      )
    : Effect.void
}

/** The subscriptions to list; none for a resource or the tenant. */
export const subscriptions = (
  connection: Connection.Connection<HealthClient.Service>,
  { resource, subscription, tenantWide }: Omit<Flags, "since">,
) =>
  tenantWide || resource !== undefined
    ? Effect.succeed([])
    : Source.subscriptionsOf(connection, subscription, "--subscription ID, --resource ID or --tenant-wide")

export const make = Effect.fnUntraced(function* (
  connection: Connection.Connection<HealthClient.Service>,
  flags: Flags,
  query: Query,
): Effect.fn.Return<ReadonlyArray<List>, UsageError, Output | Settings> {
  const { client } = connection
  if (flags.tenantWide) return [{ id: "", pages: (from) => client.pagesByTenant({ ...query, from }) }]
  if (flags.resource !== undefined) {
    const id = flags.resource
    return [{ id, pages: (from) => client.pagesByResource(id, { ...query, from }) }]
  }
  const ids = yield* subscriptions(connection, flags)
  const { note } = yield* Output
  return ids.map((id) => ({
    id,
    pages: (from) => {
      const pages = client.pagesBySubscription(id, { ...query, from })
      // The error does not name the subscription.
      return ids.length === 1
        ? pages
        : Stream.tapError(pages, ({ _tag }) =>
            _tag === "CheckpointMismatch"
              ? Effect.void
              : note(`${Polling.notePrefix(id)}Could not read all events of this subscription.`),
          )
    },
  }))
})
