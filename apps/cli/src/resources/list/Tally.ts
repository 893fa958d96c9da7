/** Selects the statuses of pages, and counts the resources. A list that changes while it is read can contain a resource on two pages. */
import * as Selection from "@vigil/health-client/Selection"
import * as StatusChanges from "@vigil/health-client/StatusChanges"
import * as ResourceStates from "@vigil/health-report/ResourceStates"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Assessment from "@vigil/health-verdict/Assessment"
import { plural } from "../../output/Output.js"

type Status = AvailabilityStatus.AvailabilityStatus

/** What decides which status of a resource is the last one, which resource is first, and which events are near. A subscription can have many thousands. */
const brief = ({ id = null, location = null, properties }: Status): Status => ({
  id,
  location,
  properties: {
    availabilityState: properties?.availabilityState ?? null,
    occuredTime: properties?.occuredTime ?? null,
    reportedTime: properties?.reportedTime ?? null,
  },
})

export const make = (selection: Selection.Selection, assess: (status: Status) => Assessment.Assessment) => {
  const selects = Selection.matches(selection)
  /** By the key of the ID of the resource. */
  const counted = new Map<unknown, Assessment.Assessment>()
  const shown = new Set<unknown>()
  const select = (status: Status): boolean => {
    const id = AvailabilityStatus.resourceId(status)
    const found = brief(status)
    const key = id === undefined ? found : ResourceId.key(id)
    const before = counted.get(key)?.status
    if (before !== undefined && StatusChanges.distinct([before, found])[0] === before) return false
    const one = assess(status)
    counted.set(key, { ...one, status: found })
    const isSelected = selects(id, Assessment.label(one))
    if (isSelected) shown.add(key)
    return isSelected
  }
  return {
    /** Returns the selected statuses, without those that an earlier page has. */
    select: (statuses: ReadonlyArray<Status>) => statuses.filter(select),
    /** Such as `1 resource shown`. */
    shown: () => `${plural(shown.size, "resource")} shown`,
    /** The selected resource to explain first. */
    first: () =>
      [...counted]
        .flatMap(([key, one]) => (shown.has(key) && !Assessment.isFine(one) ? [one] : []))
        .toSorted(Assessment.order)[0],
    all: () => [...counted.values()],
    notAvailable: () =>
      counted.size === 0 ? "no resource is listed" : ResourceStates.notAvailable([...counted.values()]),
  }
}
