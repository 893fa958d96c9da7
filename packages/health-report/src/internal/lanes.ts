/** Impact by service, in two lanes: issues and notices. The data of both drawings. */
import * as Events from "@vigil/health-schema/Events"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import * as Severity from "../Severity.js"
import * as Intervals from "./intervals.js"
import * as Period from "./period.js"
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"

export interface Impact extends Events.RegionImpact {
  readonly event: AnyEvent
}

/** A stretch of impact of one level, and its impacts. */
export interface Bar extends Period.Stretch {
  readonly severity: Severity.Severity
  readonly impacts: ReadonlyArray<Impact>
}

/** The bars of a lane, lowest level first: higher levels are drawn on top. */
export type Lane = ReadonlyArray<Bar>

/** A service. The name is empty for events without a service. */
export interface Row {
  readonly service: string
  readonly issues: Lane
  readonly notices: Lane
  /** The total time of issues until now, in milliseconds. */
  readonly issueTime: number
  readonly impacts: ReadonlyArray<Impact>
}

/** Earliest first. Impacts without a start are first. */
export const byStart: Order.Order<Impact> = Order.mapInput(Order.Number, ({ interval }: Impact) =>
  Option.match(interval, { onNone: () => 0, onSome: ({ start }) => DateTime.toEpochMillis(start) }),
)

/** The impacts of an event. For an event without services, its own interval. */
export const impactsOf = (event: AnyEvent): ReadonlyArray<Impact> => {
  const named = Events.impacts(event)
  const all = named.length === 0 ? [{ service: "", region: "", interval: Events.interval(event) }] : named
  return all.map((impact) => ({ ...impact, event }))
}

export const intervals = (impacts: ReadonlyArray<Impact>) => impacts.flatMap(({ interval }) => Option.toArray(interval))

export const period = (from: number, now: number, impacts: ReadonlyArray<Impact>): Period.Period =>
  Period.make(from, now, intervals(impacts))

/** Bars of a union do not touch each other, so the start decides. */
const isPartOf = ({ end, start }: Events.Interval, { interval }: Impact): boolean =>
  Option.exists(
    interval,
    (own) => DateTime.isGreaterThanOrEqualTo(own.start, start) && !Option.exists(end, DateTime.isLessThan(own.start)),
  )

/** Both lists are sorted by start, so one pass finds the impacts of each bar. */
const barsOf = (
  period: Period.Period,
  severity: Severity.Severity,
  impacts: ReadonlyArray<Impact>,
): ReadonlyArray<Bar> => {
  const dated = impacts.filter(({ interval }) => Option.isSome(interval)).toSorted(byStart)
  let first = 0
  return Intervals.union(intervals(dated)).flatMap((interval) => {
    let next = first
    for (let one = dated[next]; one !== undefined && isPartOf(interval, one); one = dated[next]) next += 1
    const own = dated.slice(first, next)
    first = next
    const stretch = Period.stretch(period, interval)
    return stretch === undefined ? [] : [{ ...stretch, severity, impacts: own }]
  })
}

const lane = (period: Period.Period, impacts: ReadonlyArray<Impact>): Lane =>
  Severity.all.toReversed().flatMap((severity) =>
    barsOf(
      period,
      severity,
      impacts.filter(({ event }) => Severity.fromEvent(event) === severity),
    ),
  )

const row = (period: Period.Period, service: string, impacts: ReadonlyArray<Impact>): Row => {
  const issues = impacts.filter(({ event }) => !Severity.isNotice(event))
  const notices = impacts.filter(({ event }) => Severity.isNotice(event))
  return {
    service,
    issues: lane(period, issues),
    notices: lane(period, notices),
    issueTime: Period.elapsed(period, Intervals.union(intervals(issues))),
    impacts,
  }
}

const order = Order.combine(
  Order.mapInput(Order.flip(Order.Number), ({ issueTime }: Row) => issueTime),
  Order.mapInput(Order.String, ({ service }: Row) => service),
)

/** A row per service with impact in the period, longest issues first. */
export const rows = (period: Period.Period, impacts: ReadonlyArray<Impact>): ReadonlyArray<Row> => {
  const drawn = impacts.filter(({ interval }) =>
    Option.exists(interval, (interval) => Period.stretch(period, interval) !== undefined),
  )
  return Array.from(
    Map.groupBy(drawn, ({ service }) => service),
    ([service, own]) => row(period, service, own),
  ).toSorted(order)
}
