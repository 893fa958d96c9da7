/** The anchors of resources: they depend on their IDs only, so that a link stays valid after a poll. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import type { Assessment } from "@vigil/health-verdict/Assessment"

export const make = (all: ReadonlyArray<Assessment>): ReadonlyMap<Assessment, string> => {
  const used = new Set<string>()
  return new Map(
    all.map((one, index) => {
      const key = ResourceId.key(AvailabilityStatus.resourceId(one.status) ?? "").replaceAll(/[^\w-]+/g, ".")
      const place = used.has(key) ? `resource.${index}` : `resource-${key}`
      used.add(key)
      return [one, place]
    }),
  )
}
