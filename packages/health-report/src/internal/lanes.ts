/** Impact by service, in two lanes: issues and notices. The data of both drawings. */
import * as Severity from "@vigil/health-text/Severity"
import type * as Items from "./items.js"
import * as Period from "./period.js"

/** A stretch of impact of one level, from 0 to 1, and its impacts. */
export interface Bar extends Period.Interval {
  readonly severity: Severity.Severity
  readonly impacts: ReadonlyArray<Items.Dated>
}

/** The bars of a lane, lowest level first: higher levels are drawn on top. */
type Lane = ReadonlyArray<Bar>

/** A service. The name is empty for events without a service. */
export interface Row {
  readonly service: string
  readonly issues: Lane
  readonly notices: Lane
  /** The total time of issues until now, in milliseconds. */
  readonly issueTime: number
  /** Earliest first. */
  readonly impacts: ReadonlyArray<Items.Dated>
}

const lane = (period: Period.Period, impacts: ReadonlyArray<Items.Dated>): Lane => {
  const byLevel = Map.groupBy(impacts, ({ item }) => item.severity)
  return Severity.all.toReversed().flatMap((severity) =>
    Period.union(byLevel.get(severity) ?? []).flatMap(({ own, ...interval }) => {
      const stretch = Period.stretch(period, interval)
      return stretch === undefined ? [] : [{ ...stretch, severity, impacts: own }]
    }),
  )
}

const row = (period: Period.Period, service: string, impacts: ReadonlyArray<Items.Dated>): Row => {
  const issues = impacts.filter(({ item }) => !item.isNotice)
  return {
    service,
    issues: lane(period, issues),
    notices: lane(
      period,
      impacts.filter(({ item }) => item.isNotice),
    ),
    issueTime: Period.elapsed(period, issues),
    impacts,
  }
}

/** A row per service with impact in the period, longest issues first. */
export const rows = (period: Period.Period, dated: ReadonlyArray<Items.Dated>): ReadonlyArray<Row> => {
  const drawn = dated.filter(({ interval }) => Period.stretch(period, interval) !== undefined)
  return Array.from(
    Map.groupBy(drawn.toSorted(Period.byStart), ({ service }) => service),
    ([service, own]) => row(period, service, own),
  ).toSorted((one, other) => other.issueTime - one.issueTime || (one.service < other.service ? -1 : 1))
}
