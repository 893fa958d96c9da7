/** Which resources are not available, or may be affected, over which lists that is known, and how sure it is. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import { enumerate, plural } from "@vigil/health-text/Sentence"
import * as Assessment from "@vigil/health-verdict/Assessment"
import type { Resources, Snapshot } from "./Snapshot.js"
import * as EventSummary from "./EventSummary.js"

/** What was read of resources, with the assessment of each. @category models @since 0.3.0 */
export interface ResourceStates extends Omit<Resources, "statuses"> {
  /** The lists of events that may not be read, or were left out on request. */
  readonly gaps: NonNullable<Snapshot["gaps"]>
  readonly all: ReadonlyArray<Assessment.Assessment>
  /** Whether all active events of the subscriptions are known. */
  readonly isComplete: boolean
  /** Those that are not fine, or were not until recently, in `Assessment.order`. */
  readonly affected: ReadonlyArray<Assessment.Assessment>
  /** How many only their owners stopped. */
  readonly stopped: number
  /** How many others are not available, such as those that perhaps their owners stopped. */
  readonly down: number
}

/** Assesses the resources of a snapshot; `undefined` if they were not read. @category constructors @since 0.3.0 */
export const make = ({
  events,
  everyone,
  failed,
  gaps = [],
  invalid,
  isFiltered = false,
  now,
  resources,
  subscriptions,
  tenant,
}: Omit<Snapshot, "from" | "source">): ResourceStates | undefined => {
  if (resources === undefined) return undefined
  const { statuses, ...read } = resources
  const { impacted, metadata } = resources
  const hasLists = subscriptions !== undefined && subscriptions.length > 0
  const isComplete =
    failed.length + invalid === 0 &&
    (hasLists ? !subscriptions.some((one) => one.isComplete === false) : isFiltered !== true)
  // Merged events have only one of the IDs of their records, which may name resources. Lists say for themselves whether they are complete.
  const lists = hasLists ? { subscriptions, isComplete: true } : { events, isComplete }
  const all = statuses.map(Assessment.make(now, { ...lists, tenant, everyone, impacted, metadata }))
  const affected = all.filter((one) => !Assessment.isFine(one) || one.verdict !== "none").toSorted(Assessment.order)
  const stopped = all.filter(Assessment.isStopped).length
  const down = all.filter(({ state }) => state !== "Available").length - stopped
  return { ...read, gaps, all, isComplete, affected, stopped, down }
}

/** Returns what could not be read as sentences. Empty if all was read. @category conversions @since 0.2.0 */
export const doubt = ({ failed, invalid }: Pick<ResourceStates, "failed" | "invalid">): string =>
  EventSummary.doubt(EventSummary.make({ events: [], failed, invalid }))

/** Returns `by its owner` or `by their owners`. @category conversions @since 0.3.0 */
export const byOwners = (count: number): string => (count === 1 ? "by its owner" : "by their owners")

const are = (count: number): string => (count === 1 ? "is" : "are")

/** The parts of a sentence about resources. @category models @since 0.3.0 */
export interface Parts {
  /** Such as `3 of 310 resources are not available`. */
  readonly count: string
  /** Such as `2 Unavailable and 1 stopped by its owner`. */
  readonly details?: string
  /** Such as `1 is available and may be affected`. */
  readonly affected?: string
}

/** Of a resource that is not available. Until all is known, its owner only perhaps stopped it. */
const groupOf = (one: Assessment.Assessment) => {
  if (Assessment.isStopped(one)) return "stopped"
  const mayBe = one.evidence?.cause === "customer" && !AvailabilityStatus.isAvailable(one.status)
  return mayBe ? "perhaps stopped" : one.state
}

const groups = [...Assessment.states, "perhaps stopped", "stopped"] as const

const partsOf = (all: ReadonlyArray<Assessment.Assessment>): Parts => {
  const total = plural(all.length, "resource")
  const affected = all.filter(Assessment.isAffected).length
  const down = all.filter(({ state }) => state !== "Available")
  if (down.length === 0 && affected > 0) {
    const count = `${total} ${are(all.length)} available`
    return affected === all.length
      ? { count: `${count}, and may be affected` }
      : { count, affected: `${affected} of them may be affected` }
  }
  const byGroup = Map.groupBy(down, groupOf)
  const details = groups.flatMap((group) => {
    const { length } = byGroup.get(group) ?? []
    const isOwn = group === "stopped" || group === "perhaps stopped"
    const text = isOwn ? `${group} ${byOwners(length)}` : group
    return length === 0 ? [] : isOwn && length === down.length ? text : `${length} ${text}`
  })
  return {
    count: `${down.length} of ${total} ${down.length === 1 || all.length === 1 ? "is" : "are"} not available`,
    details: enumerate(details),
    ...(affected > 0 ? { affected: `${affected} ${are(affected)} available and may be affected` } : {}),
  }
}

const sentence = ({ affected, count, details }: Parts): string =>
  `${count}${details ? `: ${details}` : ""}${affected ? `, and ${affected}` : ""}`

/**
 * Returns a phrase such as `3 of 310 resources are not available: 2 Unavailable and 1 stopped by its owner, and 1 is available and may be affected`.
 * @category conversions @since 0.2.0
 */
export const notAvailable = (all: ReadonlyArray<Assessment.Assessment>): string => sentence(partsOf(all))

/**
 * Returns the parts of a sentence. It says that all are available only if all were read and checked in the last 24 hours, and nothing may affect them.
 * @category conversions @since 0.3.0
 */
export const parts = (resources: ResourceStates): Parts => {
  const { all } = resources
  if (!all.every(Assessment.isFine)) return partsOf(all)
  const isCertain = resources.isComplete && doubt(resources) === ""
  if (all.length === 0)
    return { count: isCertain ? "The service lists no resources" : "The state of resources is unknown" }
  if (!isCertain) return { count: "No resource is known to be unavailable" }
  return { count: all.length === 1 ? "The only resource is available" : `All ${all.length} resources are available` }
}

/** Returns the parts as a sentence, and what was not read. @category conversions @since 0.2.0 */
export const headline = (resources: ResourceStates): string =>
  sentence(parts(resources)) + EventSummary.remark(resources.gaps)

/** Returns how many resources were read, and of which lists. Empty if none was. @category conversions @since 0.3.0 */
export const readText = ({ all, source }: ResourceStates): string =>
  source === "" ? "" : `Read: ${plural(all.length, "resource")} of ${source}.`

/** Returns the headline, the number of resources that were read, the names of their lists, and what could not be read. @category conversions @since 0.2.0 */
export const text = (resources: ResourceStates): string =>
  [`${headline(resources)}.`, readText(resources), doubt(resources)].filter((sentence) => sentence !== "").join(" ")
