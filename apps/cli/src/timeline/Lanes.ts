/** Impact by service: in two lanes, trouble and notices, and in each by level. What both drawings show. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Events from "@vigil/health-schema/Events"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Interval from "@vigil/health-schema/Interval"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import * as Severity from "../events/Severity.js"
import * as Period from "./Period.js"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>

/** The elements by key, in their order. Keys are in the order of their first elements. */
export const groupBy = <A, K>(all: Iterable<A>, key: (one: A) => K): ReadonlyMap<K, ReadonlyArray<A>> => {
  const groups = new Map<K, Array<A>>()
  for (const one of all) {
    const name = key(one)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [one])
    else group.push(one)
  }
  return groups
}

/** What an event did to a service in a region. */
export interface Impact extends Events.RegionImpact {
  readonly event: AnyEvent
}

/** A stretch of the period with impact of one level, and the impacts that it is made of. */
export interface Bar extends Period.Stretch {
  readonly severity: Severity.Severity
  readonly impacts: ReadonlyArray<Impact>
}

/** The bars of a lane, the least grave first, so that the gravest is drawn on top. */
export type Lane = ReadonlyArray<Bar>

/** A service. An empty name stands for events that name none. */
export interface Row {
  readonly service: string
  readonly issues: Lane
  readonly notices: Lane
  /** How long there was trouble until now, in milliseconds. */
  readonly troubled: number
  /** Those that touch the period. */
  readonly impacts: ReadonlyArray<Impact>
}

/** The earliest first; those without a start before all others. */
export const byStart: Order.Order<Impact> = Order.mapInput(Order.number, ({ interval }: Impact) =>
  Option.match(interval, { onNone: () => 0, onSome: ({ start }) => DateTime.toEpochMillis(start) }),
)

/** The impacts of an event; of one that names no service, the event's own interval. */
export const impactsOf = (event: AnyEvent): ReadonlyArray<Impact> => {
  const named = Events.impacts(event)
  const all = named.length === 0 ? [{ service: "", region: "", interval: Events.interval(event) }] : named
  return all.map((impact) => ({ ...impact, event }))
}

const intervals = (impacts: ReadonlyArray<Impact>) => impacts.flatMap(({ interval }) => Option.toArray(interval))

/** The period from an instant until now, and what is planned in these impacts. */
export const period = (from: number, now: number, impacts: ReadonlyArray<Impact>): Period.Period =>
  Period.of(from, now, intervals(impacts))

/** The impact's place in the period; nothing when it has none. */
const place = (period: Period.Period, { interval }: Impact): Period.Stretch | undefined =>
  Option.getOrUndefined(Option.flatMapNullable(interval, (when) => Period.stretch(period, when)))

/** Whether an impact is one of those that make up a union. Unions don't touch each other: it is where its start is. */
const isPartOf = ({ end, start }: Interval.Interval, { interval }: Impact): boolean =>
  Option.exists(
    interval,
    (own) => DateTime.greaterThanOrEqualTo(own.start, start) && !Option.exists(end, DateTime.lessThan(own.start)),
  )

/** The bars of one level: the union of its impacts. Both are sorted by start, so that one pass finds the impacts of each bar. */
const barsOf = (
  period: Period.Period,
  severity: Severity.Severity,
  impacts: ReadonlyArray<Impact>,
): ReadonlyArray<Bar> => {
  const dated = impacts.filter(({ interval }) => Option.isSome(interval)).toSorted(byStart)
  let first = 0
  return Interval.union(intervals(dated)).flatMap((interval) => {
    let next = first
    for (let one = dated[next]; one !== undefined && isPartOf(interval, one); one = dated[next]) next += 1
    const own = dated.slice(first, next)
    first = next
    const stretch = Period.stretch(period, interval)
    return stretch === undefined ? [] : [{ ...stretch, severity, impacts: own }]
  })
}

/** The lane of some impacts. */
export const lane = (period: Period.Period, impacts: ReadonlyArray<Impact>): Lane =>
  Severity.all.toReversed().flatMap((severity) =>
    barsOf(
      period,
      severity,
      impacts.filter(({ event }) => Severity.of(event) === severity),
    ),
  )

const row = (period: Period.Period, service: string, impacts: ReadonlyArray<Impact>): Row => {
  const [issues, notices] = [
    impacts.filter(({ event }) => !Severity.isNotice(event)),
    impacts.filter(({ event }) => Severity.isNotice(event)),
  ]
  return {
    service,
    issues: lane(period, issues),
    notices: lane(period, notices),
    troubled: Period.elapsed(period, Interval.union(intervals(issues))),
    impacts,
  }
}

/** The most troubled service first. */
const order = Order.combine(
  Order.mapInput(Order.reverse(Order.number), ({ troubled }: Row) => troubled),
  Order.mapInput(Order.string, ({ service }: Row) => service),
)

/** A row for each service with impact in the period, the most troubled first. */
export const rows = (period: Period.Period, impacts: ReadonlyArray<Impact>): ReadonlyArray<Row> => {
  const drawn = impacts.filter((impact) => place(period, impact) !== undefined)
  return Array.from(
    groupBy(drawn, ({ service }) => service),
    ([service, own]) => row(period, service, own),
  ).toSorted(order)
}
