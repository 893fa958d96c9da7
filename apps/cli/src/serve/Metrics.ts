/** The metrics of a server: active events, and how its polls went. */
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as Events from "@vigil/health-schema/Events"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import type { SinkStatus } from "@vigil/notify/Delivery"
import * as Verdict from "@vigil/health-report/Verdict"
import * as Arr from "effect/Array"
import { type AnyEvent, isResolved } from "@vigil/health-schema/HealthEvent"
import * as Severity from "@vigil/health-report/Severity"
import * as TerminalText from "@vigil/health-report/TerminalText"
import { type Family, gauge, one, type Sample } from "./MetricsText.js"
import * as State from "./State.js"

/** Services choose the names of services and regions: without a limit, each new name would be a time series for ever. */
const maxPlaces = 1_000

const maxNameLength = 100

const other = "(other)"

const typeOf = ({ properties }: AnyEvent): string =>
  OpenEnum.find(Enumerations.EventType, properties?.eventType) ?? "Other"

const kindOf = (event: AnyEvent) => ({ type: typeOf(event), level: Severity.fromEvent(event) })

type Labels = Readonly<Record<string, string>>

const placeName = (name: string): string => TerminalText.truncate(TerminalText.line(name), maxNameLength)

/** Counts labels, in the order of first appearance. */
const count = (all: Iterable<Labels>) =>
  Object.values(Arr.groupBy(all, (labels) => JSON.stringify(Object.values(labels)))).map((equal) => ({
    labels: equal[0],
    value: equal.length,
  }))

/** All known types and levels, so that a time series does not end when its last event is resolved. */
const byKind = (events: ReadonlyArray<AnyEvent>): ReadonlyArray<Sample> => {
  const known = Enumerations.EventType.known.flatMap((type) =>
    Enumerations.EventLevel.known.map((level) => ({ type, level })),
  )
  return count([...known, ...events.map(kindOf)]).map(({ labels, value }, index) => ({
    labels,
    value: index < known.length ? value - 1 : value,
  }))
}

/** The places of each event, once. The places with the most events have their names. */
const byPlace = (events: ReadonlyArray<AnyEvent>): ReadonlyArray<Sample> => {
  const places = count(
    events.flatMap((event) => {
      const named = Events.impacts(event).map(({ region, service }) => ({
        ...kindOf(event),
        service: placeName(service),
        region: placeName(region),
      }))
      return count(named).map(({ labels }) => labels)
    }),
  ).toSorted((one, another) => another.value - one.value)
  const rest = Arr.groupBy(places.slice(maxPlaces), ({ labels }) => `${labels["type"]} ${labels["level"]}`)
  const sums = Object.values(rest).map((kind) => ({
    labels: { ...kind[0].labels, service: other, region: other },
    value: kind.reduce((sum, { value }) => sum + value, 0),
  }))
  return [...places.slice(0, maxPlaces), ...sums]
}

const seconds = (millis: number | undefined): ReadonlyArray<Sample> => (millis === undefined ? [] : one(millis / 1000))

interface Facts {
  readonly state: State.State
  readonly now: number
  readonly version: string
}

/** Of the events of the last complete snapshot. */
export const events = ({ snapshot }: State.State): ReadonlyArray<Family> => {
  const active = snapshot?.events.filter((event) => !isResolved(event)) ?? []
  return [
    gauge("vigil_events_active", "Active events by type and level.", snapshot === undefined ? [] : byKind(active)),
    gauge(
      "vigil_event_impacts_active",
      "Active events by type, level, service and region. An event counts once for each of its services and regions.",
      byPlace(active),
    ),
    gauge(
      "vigil_events_unknown_status",
      "Events with a missing or unknown status. They count as active.",
      snapshot === undefined ? [] : one(snapshot.events.filter(Verdict.isUnknownStatus).length),
    ),
  ]
}

/** Of the server and its polls. They change with each request. */
export const server = ({ now, state, version }: Facts): ReadonlyArray<Family> => [
  gauge("vigil_build_info", "The version of vigil.", [{ labels: { version }, value: 1 }]),
  {
    name: "vigil_polls_total",
    type: "counter",
    help: "Polls by result.",
    samples: [
      { labels: { result: "success" }, value: state.succeeded },
      { labels: { result: "failure" }, value: state.failed },
    ],
  },
  gauge("vigil_poll_age_seconds", "Time since the start of the last successful poll.", seconds(State.age(state, now))),
  gauge("vigil_poll_duration_seconds", "Duration of the last poll.", seconds(state.duration)),
  gauge(
    "vigil_invalid_entries",
    "Entries of the last successful poll that are not events.",
    one(state.snapshot?.invalid ?? 0),
  ),
]

/** Since the start of the server. None without routes. */
export const notifications = (sinks: ReadonlyArray<SinkStatus>): ReadonlyArray<Family> => [
  {
    name: "vigil_notifications_total",
    type: "counter",
    help: "Notifications by sink and result. failed: attempts that failed.",
    samples: sinks.flatMap(({ deadLettered, delivered, failed, sink }) =>
      Object.entries({ delivered, failed, dead_lettered: deadLettered }).map(([result, value]) => ({
        labels: { sink, result },
        value,
      })),
    ),
  },
  gauge(
    "vigil_notifications_waiting",
    "Events with notifications that wait for the sink.",
    sinks.map(({ pending, sink }) => ({ labels: { sink }, value: pending })),
  ),
]
