/** Which resources are not available, or may be affected, over which lists that is known, and how sure it is. */
import { enumerate, plural } from "@vigil/health-text/Sentence"
import * as Order from "effect/Order"
import * as Assessment from "./Assessment.js"
import type { Resources, Snapshot } from "./Snapshot.js"
import * as Verdict from "./Verdict.js"

/** What was read of resources, with the assessment of each. @category models @since 0.3.0 */
export interface ResourceStates extends Omit<Resources, "statuses"> {
  readonly all: ReadonlyArray<Assessment.Assessment>
  /** Those that are not fine, or were not until recently, in `order`. */
  readonly affected: ReadonlyArray<Assessment.Assessment>
  /** How many owners stopped. */
  readonly stopped: number
  /** How many others are not available. */
  readonly down: number
}

const rank = ({ evidence, state }: Assessment.Assessment): number =>
  state === "Available" ? 2 : evidence?.cause === "customer" ? 1 : 0

/** Orders those that do not work, then what only an owner stopped, then those that are available, each in `Assessment.order`. @category ordering @since 0.3.0 */
export const order: Order.Order<Assessment.Assessment> = Order.combine(
  Order.mapInput(Order.Number, rank),
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
  const stopped = all.filter(Assessment.isStopped).length
  const down = all.filter(({ state }) => state !== "Available").length - stopped
  return { ...read, all, affected, stopped, down }
}

/** Returns what could not be read as sentences. Empty if all was read. @category conversions @since 0.2.0 */
export const doubt = ({ failed, invalid }: Pick<ResourceStates, "failed" | "invalid">): string =>
  Verdict.doubt(Verdict.make({ events: [], failed, invalid }))

/** Returns a phrase such as `1 stopped by its owner`. @category conversions @since 0.3.0 */
export const stoppedText = (count: number): string =>
  `${count} stopped by ${count === 1 ? "its owner" : "their owners"}`

const are = (count: number): string => (count === 1 ? "is" : "are")

/**
 * Returns a phrase such as `3 of 310 resources are not available and 1 stopped by its owner: 2 Unavailable and 1 Degraded, and 1 is available and may be
 * affected`.
 * @category conversions @since 0.2.0
 */
export const notAvailable = (all: ReadonlyArray<Assessment.Assessment>): string => {
  const others = all.filter((one) => !Assessment.isStopped(one))
  const { affected, states } = Assessment.tally(others)
  const stopped = all.length - others.length
  const total = plural(all.length, "resource")
  const down = others.length - (states.get("Available") ?? 0)
  if (down + stopped === 0 && affected > 0)
    return `${total} ${are(all.length)} available, and ${affected === all.length ? "may" : `${affected} of them may`} be affected`
  const counted = Assessment.states.filter((state) => state !== "Available" && states.has(state))
  const details = enumerate(counted.map((state) => `${states.get(state)} ${state}`))
  const own = stopped > 0 ? stoppedText(stopped) : ""
  const verb = down === 1 || all.length === 1 ? "is" : "are"
  const first = `${down} of ${total} ${verb} not available${own && ` and ${own}`}`
  return [
    own !== "" && down === 0 ? own.replace(" ", ` of ${total} `) : first,
    details && `: ${details}`,
    affected > 0 ? `, and ${affected} ${are(affected)} available and may be affected` : "",
  ].join("")
}

/**
 * Returns a phrase such as `3 of 310 resources are not available: 2 Unavailable and 1 Degraded`. It says that all are available only if all were read and
 * checked in the last 24 hours, and nothing may affect them.
 * @category conversions @since 0.2.0
 */
export const headline = (resources: ResourceStates): string => {
  const { all } = resources
  if (!all.every(Assessment.isFine)) return notAvailable(all)
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
