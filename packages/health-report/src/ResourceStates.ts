/** Which resources are not available, or may be affected, over which lists that is known, and how sure it is. */
import { enumerate, plural } from "@vigil/health-text/Sentence"
import * as Order from "effect/Order"
import * as Assessment from "./Assessment.js"
import type { Resources, Snapshot } from "./Snapshot.js"
import * as Verdict from "./Verdict.js"

/** What was read of resources, with the assessment of each. @category models @since 0.3.0 */
export interface ResourceStates extends Omit<Resources, "statuses"> {
  readonly all: ReadonlyArray<Assessment.Assessment>
  /** Those that are not fine, or were not until recently, in `Assessment.order`. What an owner stopped comes last. */
  readonly affected: ReadonlyArray<Assessment.Assessment>
}

const order = Order.combine(
  Order.mapInput(Order.Boolean, ({ evidence }: Assessment.Assessment) => evidence?.cause === "customer"),
  Assessment.order,
)

/** Assesses the resources of a snapshot; `undefined` if they were not read. @category constructors @since 0.3.0 */
export const make = ({
  events,
  failed,
  invalid,
  isFiltered = false,
  now,
  resources,
}: Pick<Snapshot, "events" | "failed" | "invalid" | "isFiltered" | "now" | "resources">):
  | ResourceStates
  | undefined => {
  if (resources === undefined) return undefined
  const { statuses, ...read } = resources
  const isComplete = failed.length === 0 && invalid === 0 && !isFiltered
  const all = statuses.map(Assessment.make(now, { events, impacted: resources.impacted, isComplete }))
  const affected = all.filter((one) => !Assessment.isFine(one) || one.verdict !== "none").toSorted(order)
  return { ...read, all, affected }
}

/** Returns what could not be read as sentences. Empty if all was read. @category conversions @since 0.2.0 */
export const doubt = ({ failed, invalid }: Pick<ResourceStates, "failed" | "invalid">): string =>
  Verdict.doubt(Verdict.make({ events: [], failed, invalid }))

/**
 * Returns a phrase such as `3 of 310 resources are not available: 2 Unavailable and 1 Degraded, and 1 is available and may be affected`.
 * @category conversions @since 0.2.0
 */
export const notAvailable = ({ affected, states }: Assessment.Tally): string => {
  const total = [...states.values()].reduce((sum, count) => sum + count, 0)
  const down = total - (states.get("Available") ?? 0)
  const counted = Assessment.states.filter((state) => state !== "Available" && states.has(state))
  const details = enumerate(counted.map((state) => `${states.get(state)} ${state}`))
  const verb = down === 1 || total === 1 ? "is" : "are"
  if (down === 0 && affected > 0)
    return `${plural(total, "resource")} ${total === 1 ? "is" : "are"} available, and ${affected === total ? "may" : `${affected} of them may`} be affected`
  const more =
    affected === 0 ? "" : `, and ${affected === 1 ? "1 is" : `${affected} are`} available and may be affected`
  return `${down} of ${plural(total, "resource")} ${verb} not available${details && `: ${details}`}${more}`
}

/**
 * Returns a phrase such as `3 of 310 resources are not available: 2 Unavailable and 1 Degraded`. It says that all are available only if all were read and
 * checked in the last 24 hours, and nothing may affect them.
 * @category conversions @since 0.2.0
 */
export const headline = (resources: ResourceStates): string => {
  const { all } = resources
  if (!all.every(Assessment.isFine)) return notAvailable(Assessment.tally(all))
  const isCertain = doubt(resources) === ""
  if (all.length === 0) return isCertain ? "The service lists no resources" : "The state of resources is unknown"
  if (!isCertain) return "No resource is known to be unavailable"
  return all.length === 1 ? "The only resource is available" : `All ${all.length} resources are available`
}

/** Returns how many resources were read, and of which lists. Empty if none was. @category conversions @since 0.3.0 */
export const readText = ({ all, source }: ResourceStates): string =>
  source === "" ? "" : `Read: ${plural(all.length, "resource")} of ${source}.`

/** Returns the headline, the number of resources that were read, the names of their lists, and what could not be read. @category conversions @since 0.2.0 */
export const text = (resources: ResourceStates): string =>
  [`${headline(resources)}.`, readText(resources), doubt(resources)].filter((sentence) => sentence !== "").join(" ")
