/** Whether anything is wrong: the resources that do not work, by what caused it, and the active issues that hit or may hit what one has. */
import * as EventUnion from "@vigil/health-schema/EventUnion"
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Moment from "@vigil/health-text/Moment"
import * as Severity from "@vigil/health-text/Severity"
import * as Arr from "effect/Array"
import * as Order from "effect/Order"
import * as Assessment from "./Assessment.js"
import * as Coverage from "./Coverage.js"
import * as EmergingEvents from "./EmergingEvents.js"
import type { Evidence } from "./Evidence.js"
import * as ImpactedLists from "./ImpactedLists.js"
import * as Age from "./internal/age.js"
import * as Nearby from "./Nearby.js"
import * as Picture from "./Picture.js"
import * as Subject from "./Subject.js"

type One = Assessment.Assessment

/** Resources that have one cause, equally sure. @category models @since 0.4.0 */
export interface Cause {
  /** `undefined` if nothing says why. */
  readonly evidence: Evidence | undefined
  /** As of `Assessment.who`. */
  readonly who: string
  /** In `Assessment.order`. */
  readonly resources: Arr.NonEmptyReadonlyArray<One>
}

/** An active issue. @category models @since 0.4.0 */
export interface Issue {
  readonly event: AnyEvent
  /** Whose lists have it. */
  readonly subjects: ReadonlyArray<Subject.Subject>
  /** The resources that it names, in `Assessment.order`. */
  readonly resources: ReadonlyArray<One>
  /** How many others are of its services and regions. */
  readonly nearby: number
  /**
   * `hits`: it names resources. `may hit`: resources are or may be of its services and regions, or the list of a subscription or of the tenant has it.
   * `elsewhere`: it is an emerging issue of other services or regions.
   */
  readonly reach: "elsewhere" | "hits" | "may hit"
}

/** The answer. @category models @since 0.4.0 */
export interface Summary {
  /**
   * `wrong`: a resource is down or may be affected, or an issue hits or may hit what one has. `unknown`: no such thing is known, but not all was read, or the
   * state of a resource is unknown, or it is not sure that only its owner stopped it. `fine`: nothing of that.
   */
  readonly verdict: "fine" | "unknown" | "wrong"
  /** All resources that were read. */
  readonly all: ReadonlyArray<One>
  /** Of all that are not fine, the worst first. */
  readonly causes: ReadonlyArray<Cause>
  /** Those that hit first, then the most severe. */
  readonly issues: ReadonlyArray<Issue>
  /** Whether all was read that was asked for. */
  readonly isComplete: boolean
}

/** Whether a resource may work: the service does not know, or perhaps its owner stopped it. */
const isUncertain = ({ evidence, state, verdict }: One): boolean =>
  (state === "Unknown" && verdict !== "platform" && verdict !== "maintenance") ||
  (state !== "Available" && verdict === "unknown" && evidence?.cause === "customer")

const keyOf = (event: AnyEvent): unknown => HealthEvent.eventKey(event) ?? event

const causesOf = (all: ReadonlyArray<One>, now: number): ReadonlyArray<Cause> => {
  const bad = all.filter((one) => !Assessment.isFine(one) && !Assessment.isStopped(one)).toSorted(Assessment.order)
  const named = bad.map((one) => ({ one, who: Assessment.who(one, now) }))
  const groups = Arr.groupBy(named, ({ one: { evidence }, who }) =>
    JSON.stringify([who, evidence?.trackingId ?? evidence?.title]),
  )
  return Object.values(groups).map(([first, ...others]) => ({
    evidence: first.one.evidence,
    who: first.who,
    resources: [first.one, ...others.map(({ one }) => one)],
  }))
}

const byReach = Order.mapInput(Order.Number, ({ reach }: Issue) => ["hits", "may hit", "elsewhere"].indexOf(reach))

const bySeverity = Order.mapInput(Order.Number, ({ event }: Issue) => Severity.rank(Severity.fromEvent(event)))

/** A banner, which has no ID, counts for a day, as for an explanation. */
const isCurrent =
  (now: number) =>
  (event: AnyEvent): boolean =>
    Boolean(event.name) || Age.isFresh(Moment.parse(event.properties?.lastUpdateTime), now)

const issuesOf = (picture: Picture.Picture, all: ReadonlyArray<One>): ReadonlyArray<Issue> => {
  const { events: lists, impacted, now } = picture
  const events = lists.flatMap((list) => list.events)
  const owned = lists.flatMap(({ events: own, subject }) =>
    (subject === Subject.everyone ? EmergingEvents.distinct(own, events).filter(isCurrent(now)) : own).map((event) => ({
      event,
      subject,
    })),
  )
  const subjectsOf = Map.groupBy(owned, ({ event }) => keyOf(event))
  const countOf = Nearby.bySubscription(
    all.map(({ status }) => status),
    now,
    ImpactedLists.completeMetadata(impacted),
  )
  const naming = Map.groupBy(
    all.flatMap((one) => Array.from(new Set(one.events.map(keyOf)), (key) => ({ key, one }))),
    ({ key }) => key,
  )
  const isUnderWay = Assessment.isUnderWay(now)
  const issues = EventUnion.mergeByTrackingId(owned.map(({ event }) => event))
    .filter((event) => isUnderWay(event) && !HealthEvent.isNotice(event))
    .map((event): Issue => {
      const resources = (naming.get(keyOf(event)) ?? []).map(({ one }) => one).toSorted(Assessment.order)
      const subjects = [...new Set((subjectsOf.get(keyOf(event)) ?? []).map(({ subject }) => subject))]
      const owners = subjects.filter(Subject.isSubscription)
      // An event of the tenant or of everyone concerns all subscriptions.
      const counts = owners.length < subjects.length ? [countOf()(event)] : owners.map((id) => countOf(id)(event))
      const isPossible = counts.some(({ possible }) => possible > 0)
      const sure = counts.reduce((sum, one) => sum + one.sure, 0)
      const isFar = !isPossible && (event.properties?.impact ?? []).length > 0
      const isEmerging = subjects.every((subject) => subject === Subject.everyone)
      const reach = resources.length > 0 ? "hits" : isFar && isEmerging ? "elsewhere" : "may hit"
      return { event, subjects, resources, nearby: Math.max(0, sure - resources.length), reach }
    })
  return Arr.sort(issues, Order.combine(byReach, bySeverity))
}

/** Judges all resources and issues of a picture with statuses. @category constructors @since 0.4.0 */
export const make = (picture: Picture.Picture): Summary => {
  const { impacted, now, statuses } = picture
  const all = statuses.flatMap((list) => list.statuses).map(Picture.assess(picture))
  const causes = causesOf(all, now)
  const issues = issuesOf(picture, all)
  const bad = causes.flatMap(({ resources }) => resources)
  const isComplete =
    Coverage.isComplete(picture) &&
    statuses.every(({ invalid, problem }) => problem === undefined && invalid.length === 0) &&
    ImpactedLists.failures(impacted).length === 0
  const isWrong = bad.some((one) => !isUncertain(one)) || issues.some(({ reach }) => reach !== "elsewhere")
  const verdict = isWrong ? "wrong" : isComplete && bad.length === 0 ? "fine" : "unknown"
  return { verdict, all, causes, issues, isComplete }
}
