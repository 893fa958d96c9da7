/** Selects the statuses of pages, and counts the resources. A list that changes while it is read can contain a resource on two pages. */
import * as Selection from "@vigil/health-client/Selection"
import * as StatusChanges from "@vigil/health-client/StatusChanges"
import * as Assessment from "@vigil/health-report/Assessment"
import * as ResourceStates from "@vigil/health-report/ResourceStates"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import { plural } from "../../output/Output.js"

type Status = AvailabilityStatus.AvailabilityStatus

interface Counted {
  readonly status: Status
  readonly state: Assessment.State
  readonly isAffected: boolean
  /** If it is selected and not fine. */
  readonly broken: Assessment.Assessment | undefined
}

/** Where a name is looked up. */
const placeOf = (id: string | undefined) => `${ResourceId.subscription(id)}/${ResourceId.name(id)}`.toLowerCase()

/** What decides which status of a resource is the last one. A subscription can have many thousands of resources. */
const brief = ({ id = null, properties }: Status): Status => ({
  id,
  properties: {
    availabilityState: properties?.availabilityState ?? null,
    reportedTime: properties?.reportedTime ?? null,
  },
})

export const make = (selection: Selection.Selection, now: number) => {
  const selects = Selection.matches(selection)
  const assess = Assessment.make(now)
  /** By the key of the ID of the resource. */
  const counted = new Map<unknown, Counted>()
  const shown = new Set<unknown>()
  const select = (status: Status): boolean => {
    const id = AvailabilityStatus.resourceId(status)
    const found = brief(status)
    const key = id === undefined ? found : ResourceId.key(id)
    const before = counted.get(key)?.status
    if (before !== undefined && StatusChanges.distinct([before, found])[0] === before) return false
    const one = assess(status)
    const isSelected = selects(id, Assessment.label(one))
    const broken = isSelected && !Assessment.isFine(one) ? one : undefined
    counted.set(key, { status: found, state: one.state, isAffected: Assessment.isAffected(one), broken })
    if (isSelected) shown.add(key)
    return isSelected
  }
  const tally = (): Assessment.Tally => {
    const all = [...counted.values()]
    const byState = Map.groupBy(all, ({ state }) => state)
    return {
      states: new Map(Array.from(byState, ([state, { length }]) => [state, length])),
      affected: all.filter(({ isAffected }) => isAffected).length,
    }
  }
  return {
    /** Returns the selected statuses, without those that an earlier page has. */
    select: (statuses: ReadonlyArray<Status>) => statuses.filter(select),
    /** Such as `1 resource shown`. */
    shown: () => `${plural(shown.size, "resource")} shown`,
    /** The selected resource to explain first. It has a name if no other one of its subscription has it. */
    first: () => {
      const all = [...counted.values()]
      const [worst] = all.flatMap(({ broken }) => broken ?? []).toSorted(ResourceStates.order)
      const id = worst && AvailabilityStatus.resourceId(worst.status)
      if (id === undefined) return undefined
      const same = all.filter(({ status }) => placeOf(AvailabilityStatus.resourceId(status)) === placeOf(id))
      const name = ResourceId.name(id) ?? ""
      return { id, name: same.length === 1 && /^\w/.test(name) ? name : undefined }
    },
    notAvailable: () => (counted.size === 0 ? "no resource is listed" : ResourceStates.notAvailable(tally())),
  }
}
