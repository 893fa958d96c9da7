/** Leaves out repeated events of a stream. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Stream from "effect/Stream"

export const distinct = <V extends ApiVersion.ApiVersion, E, R>(
  events: Stream.Stream<HealthEvent.HealthEvent<V>, E, R>,
): Stream.Stream<HealthEvent.HealthEvent<V>, E, R> =>
  Stream.suspend(() => {
    const keys = new Set<string>()
    return Stream.filter(events, (event) => {
      const key = HealthEvent.recordKey(event)
      return key === undefined || keys.size < keys.add(key).size
    })
  })
