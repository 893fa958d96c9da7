/** What a watch knows; public as `Watch.State`. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as DateTime from "effect/DateTime"
import * as Filter from "../Filter.js"
import type * as Query from "../Query.js"
import type { SubscriptionId } from "../SubscriptionId.js"
import { versionOf } from "./source.js"

/** The list of a poll. A state belongs to its subscription and filter: polls of another API version continue it. */
export interface List<V extends ApiVersion.ApiVersion> {
  readonly subscription: string
  readonly apiVersion: V
  /** The text of the `$filter`; empty for none. */
  readonly filter: string
}

/** An event that a list contained. */
export interface Known<V extends ApiVersion.ApiVersion> {
  readonly event: HealthEvent.HealthEvent<V>
  /** The version of the list that contained it, if it is not that of the list of the state. */
  readonly apiVersion?: string | undefined
  /** When a complete list first lacked the unresolved event, in milliseconds since 1970. */
  readonly unlistedSince?: number | undefined
}

/** What a watch knows about the events of a list. Times are in milliseconds since 1970. @category models @since 0.2.0 */
export interface State<V extends ApiVersion.ApiVersion = ApiVersion.Default> {
  readonly list: List<V>
  /** Whether no poll was complete yet. */
  readonly isNew: boolean
  /** The time of the last complete list, or when the state was made. */
  readonly listedAt: number
  /** By `HealthEvent.recordKey`. */
  readonly events: ReadonlyMap<string, Known<V>>
}

export const listOf = <V extends ApiVersion.ApiVersion>(
  subscription: SubscriptionId,
  { apiVersion, filter }: Query.Query<V>,
): List<V> => ({ subscription, apiVersion: versionOf(apiVersion), filter: Filter.render(filter) })

/** The state before the first poll. */
export const empty = <V extends ApiVersion.ApiVersion>(list: List<V>, now: DateTime.Utc): State<V> => ({
  list,
  isNew: true,
  listedAt: DateTime.toEpochMillis(now),
  events: new Map<string, never>(),
})
