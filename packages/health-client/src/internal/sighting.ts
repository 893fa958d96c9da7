/** What one sight of an event says beside what is known of it. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Changes from "@vigil/health-schema/Changes"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type * as Watch from "../Watch.js"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>

/** The name of a record, in lower case. */
export const nameOf = HealthEvent.trackingKey

/** By what a record is known: its `id`, else its `name`, without regard to case. */
export const identity = HealthEvent.recordKey

/** The same of an event; one with neither is known by all that it says. */
export const keyOf = (event: AnyEvent): string => identity(event) ?? JSON.stringify(event)

/** When the event was updated last, in milliseconds since 1970, where it says so. */
export const lastUpdate = (event: AnyEvent): number | undefined =>
  Option.getOrUndefined(Option.map(Timestamp.instant(event.properties?.lastUpdateTime), DateTime.toEpochMillis))

/** Whether it is over. */
export const isResolved = (event: AnyEvent): boolean => OpenEnum.equals(event.properties?.status, "Resolved")

/** The event as a store returns it: `-0` is written as `0`, and numbers beyond the range of JavaScript's as `null`. */
const stored = <V extends ApiVersion.ApiVersion>(event: HealthEvent.HealthEvent<V>): HealthEvent.HealthEvent<V> =>
  JSON.parse(JSON.stringify(event))

/** What is to be told of an event; nothing, when it is known as it is. */
export const compare = <V extends ApiVersion.ApiVersion>(
  known: HealthEvent.HealthEvent<V> | undefined,
  event: HealthEvent.HealthEvent<V>,
): Watch.Change<V> | undefined => {
  if (known === undefined) return { _tag: "Appeared", event }
  if (Changes.isEmpty(Changes.compare(known, event))) return undefined
  const changes = Changes.compare(stored(known), stored(event))
  if (Changes.isEmpty(changes)) return undefined
  if (isResolved(known) === isResolved(event)) return { _tag: "Updated", event, changes }
  return { _tag: isResolved(event) ? "Resolved" : "Reopened", event, changes }
}
