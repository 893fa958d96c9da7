/** Why a resource does not work: the platform, planned maintenance, an action of its owner, or nothing known. */
import type * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import { type Evidence, type Known, type Readings, type Source, type Unread, empty } from "./Evidence.js"
import * as Decision from "./internal/decision.js"
import * as Events from "./internal/eventEvidence.js"
import * as Gaps from "./internal/gaps.js"
import * as Issues from "./internal/issueEvidence.js"
import * as Statuses from "./internal/statusEvidence.js"

type Cause = Exclude<Evidence["cause"], "notice">

interface Facts extends Pick<Readings, "from" | "now" | "resource"> {
  /** All evidence: that about the resource and that of now first. */
  readonly evidence: ReadonlyArray<Evidence>
  /** What was not read. Empty with the verdicts `none` and `customer`. */
  readonly unread: ReadonlyArray<Unread>
  /** The lists that were left out on request. */
  readonly notCovered: ReadonlyArray<Source>
  /** What its owner did, as its latest status says, whatever the verdict: the platform does not start what its owner stopped. */
  readonly ownAction: Evidence | undefined
  /** The latest status. */
  readonly status: AvailabilityStatus.AvailabilityStatus | undefined
}

/**
 * Why a resource does not work. `because` is the evidence of the verdict. `none` means that all was read, and nothing that is known explains it. `unknown`
 * means that evidence is missing, or that `suspect` may explain it.
 * @category models @since 0.2.0
 */
export type Explanation = Facts &
  (
    | { readonly verdict: Cause; readonly because: Evidence; readonly suspect: undefined }
    | { readonly verdict: "none"; readonly because: undefined; readonly suspect: undefined }
    | { readonly verdict: "unknown"; readonly because: undefined; readonly suspect: Evidence | undefined }
  )

/** Returns whether evidence names the resource, what contains it, or what is in it. @category guards @since 0.3.0 */
export const isConfirmed: (evidence: Evidence) => boolean = Decision.isConfirmed

/** Returns whether what is missing is a check of the last 24 hours, which no further reading brings. @category guards @since 0.4.0 */
export const isUnchecked = ({ problem }: Unread): boolean => problem === Gaps.old

/** Returns whether the cause lasts, or the resource is down, whatever explains that. @category guards @since 0.4.0 */
export const isOngoing = ({ because, status }: Explanation): boolean =>
  because?.phase === "now" || (status !== undefined && Statuses.isDown(status))

/**
 * Returns the status that was checked last, of the current one and the history, and of several with one time the worst. `undefined` if there is none.
 * @category getters @since 0.4.0
 */
export const latestStatus = (
  known: Pick<Known, "current" | "history" | "now" | "resource">,
): AvailabilityStatus.AvailabilityStatus | undefined => Statuses.latest(known)

/** An event whose impacted resources are to be read, and the lists that have it. @category models @since 0.3.0 */
export interface ToCompare extends Events.ToCompare {}

/** Returns the events that may explain the state, in any region. Read their impacted resources. @category getters @since 0.2.0 */
export const toCompare = (known: Known): ReadonlyArray<ToCompare> => Events.toCompare(known)

/** Returns whether the explanation depends on which types of resources belong to a service. @category guards @since 0.3.0 */
export const needsMetadata = (known: Known): boolean =>
  Events.needsServices(known) || issues({ ...known, impacted: new Map(), metadata: empty }).length > 0

/** The evidence of emerging issues, without what other lists say. */
const issues = (readings: Readings): ReadonlyArray<Evidence> => {
  const { emergingIssues, ownEvents, subscriptionEvents, tenantEvents } = readings
  const events = [ownEvents, subscriptionEvents, tenantEvents].flatMap((list) => list?.items ?? [])
  const items = Issues.distinct(emergingIssues.items, events)
  return Issues.evidence({ ...readings, emergingIssues: { ...emergingIssues, items } })
}

/**
 * Explains the state of a resource, by the first row of one table. What a status says about the platform comes first, then events that name the resource, then
 * an action of its owner. What may concern it makes the verdict `unknown`, with a `suspect`. If anything was not read, the verdict is never `customer`
 * or `none`.
 * @category constructors @since 0.2.0
 */
export const make = (readings: Readings): Explanation =>
  Decision.make(readings, [...issues(readings), ...Statuses.ofChildren(readings)])
