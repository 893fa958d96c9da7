/** Changes between two states of an event; public as `Watch.Change`. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Changes from "@vigil/health-schema/Changes"
import * as Events from "@vigil/health-schema/Events"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"

/**
 * A change of an event. `event` is the listed event, or the last known state if it has `Disappeared`. A false positive is resolved (`Events.isActive`). In the first poll, each event has
 * `Appeared`, unless `baseline` is `skip`. An event that is too old to be listed, or has no update time, does not disappear.
 * @category models @since 0.1.0
 */
export type Change<V extends ApiVersion.ApiVersion = ApiVersion.Default> =
  | { readonly _tag: "Appeared"; readonly event: HealthEvent.HealthEvent<V> }
  | Changed<"Updated", V>
  | Changed<"Resolved", V>
  | Changed<"Reopened", V>
  | { readonly _tag: "Disappeared"; readonly event: HealthEvent.HealthEvent<V> }

interface Changed<Tag, V extends ApiVersion.ApiVersion> {
  readonly _tag: Tag
  readonly event: HealthEvent.HealthEvent<V>
  readonly changes: Changes.Changes
}

/** What a store returns: JSON has no `-0`, and writes infinite numbers as `null`. */
const throughJson = <V extends ApiVersion.ApiVersion>(event: HealthEvent.HealthEvent<V>): HealthEvent.HealthEvent<V> =>
  JSON.parse(JSON.stringify(event))

/** `compare`: how to compare events of different API versions. */
export const between = <V extends ApiVersion.ApiVersion>(
  known: HealthEvent.HealthEvent<V> | undefined,
  event: HealthEvent.HealthEvent<V>,
  compare: typeof Changes.compare = Changes.compare,
): Change<V> | undefined => {
  if (known === undefined) return { _tag: "Appeared", event }
  // Several times as fast as `compare`. Most listed events have not changed.
  if (JSON.stringify(known) === JSON.stringify(event)) return undefined
  if (Changes.isEmpty(compare(known, event))) return undefined
  const changes = compare(throughJson(known), throughJson(event))
  if (Changes.isEmpty(changes)) return undefined
  const isActive = Events.isActive(event)
  if (Events.isActive(known) === isActive) return { _tag: "Updated", event, changes }
  return { _tag: isActive ? "Reopened" : "Resolved", event, changes }
}
