/** The metrics of a server: active events, its polls, and the notifications of its sinks. */
import * as EventSummary from "@vigil/health-report/EventSummary"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as Events from "@vigil/health-schema/Events"
import { type AnyEvent, isNotice } from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as SafeText from "@vigil/health-text/SafeText"
import * as Severity from "@vigil/health-text/Severity"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Subject from "@vigil/health-verdict/Subject"
import type { SinkStatus } from "@vigil/notify/Delivery"
import * as Arr from "effect/Array"
import { counter, type Family, gauge, one, type Sample } from "./MetricsText.js"
import type { Drawing } from "./Drawing.js"
import * as Readiness from "./Readiness.js"
import * as State from "./State.js"

/** Services choose the names of services and regions: without a limit, each new name would be a time series for ever. */
const maxPlaces = 1_000

const maxNameLength = 100

const other = "(other)"

const typeOf = ({ properties }: AnyEvent): string =>
  OpenEnum.find(Enumerations.EventType, properties?.eventType) ?? "Other"

/** Unknown types and levels are `Other`. */
export const gradeOf = (event: AnyEvent) => ({ type: typeOf(event), level: Severity.fromEvent(event) })

/** The definition of an issue is that of the verdict. */
const kindOf = (event: AnyEvent) => ({ kind: isNotice(event) ? "notice" : "issue", ...gradeOf(event) })

type Labels = Readonly<Record<string, string>>

/** The active events of a list. */
interface Active {
  readonly labels: Labels
  readonly active: ReadonlyArray<AnyEvent>
}

/** Enough of a name for `maxNameLength`, with what a terminal does not show. */
const maxRawLength = 1_000

export const shortName = (name: string): string =>
  SafeText.cut(TerminalText.line(SafeText.head(name, maxRawLength)), maxNameLength)

/** Counts labels, in the order of first appearance. */
export const count = (all: Iterable<Labels>) =>
  Object.values(Arr.groupBy(all, (labels) => JSON.stringify(Object.values(labels)))).map((equal) => ({
    labels: equal[0],
    value: equal.length,
  }))

/** The subscription of a list, or its scope: `tenant` or `everyone`. That of a resource is the only one. */
export const labelsOf = (subject: Subject.Subject): Labels => {
  if (Subject.isSubscription(subject)) return { subscription: subject }
  return subject._tag === "Resource" ? {} : { scope: Subject.key(subject) }
}

/** Those that may not be read are not polled. */
const polled = (state: State.State) => [
  ...state.lists
    .map((list) => ({ list, labels: labelsOf(list.subject) }))
    .filter(({ list }) => !State.isOutside(state, list)),
  ...state.resources.map((list) => ({ list, labels: { ...labelsOf(list.subject), list: "resources" } })),
]

const known = Enumerations.EventType.known.flatMap((type) =>
  Enumerations.EventLevel.known.map((level) => kindOf({ properties: { eventType: type, eventLevel: level } })),
)

/** All known types and levels, so that a time series does not end when its last event is resolved. */
const byKind = ({ active, labels }: Active): ReadonlyArray<Sample> =>
  count([...known, ...active.map(kindOf)]).map(({ labels: kind, value }, index) => ({
    labels: { ...labels, ...kind },
    value: index < known.length ? value - 1 : value,
  }))

const kindKey = ({ kind, level, subscription, type }: Labels): string =>
  JSON.stringify([subscription, kind, type, level])

/** The places of each event, once. The places with the most events have their names. */
const byPlace = (all: ReadonlyArray<Active>): ReadonlyArray<Sample> => {
  const places = count(
    all.flatMap(({ active, labels }) =>
      active.flatMap((event) => {
        const impacts = Events.impacts(event)
        const named = (impacts.length === 0 ? [{ region: "", service: "" }] : impacts).map(({ region, service }) => ({
          ...labels,
          ...kindOf(event),
          service: shortName(service),
          region: shortName(region),
        }))
        return count(named).map(({ labels }) => labels)
      }),
    ),
  ).toSorted((one, another) => another.value - one.value)
  const rest = Arr.groupBy(places.slice(maxPlaces), ({ labels }) => kindKey(labels))
  const sums = Object.values(rest).map((kind) => ({
    labels: { ...kind[0].labels, service: other, region: other },
    value: kind.reduce((sum, { value }) => sum + value, 0),
  }))
  return [...places.slice(0, maxPlaces), ...sums]
}

interface Facts {
  readonly state: State.State
  readonly now: number
  readonly every: number
  readonly version: string
}

/** Whether a list was read completely, now or before. */
export const isRead = ({ readAt }: { readonly readAt: number | undefined }): boolean => readAt !== undefined

/** Of the events of the last complete lists, which have those of a `period`. An event of several lists counts in each. */
export const events = ({ lists, statuses }: Drawing, period: string): ReadonlyArray<Family> => {
  const read = lists.filter(isRead)
  const ofPeriod = period === "" ? "" : ` that were ${period},`
  const active = read.map(({ events, subject }) => ({
    labels: labelsOf(subject),
    active: events.filter(Events.isActive),
  }))
  return [
    gauge(
      "vigil_events_active",
      `Active events${ofPeriod} by kind (issue or notice), type and level.`,
      active.flatMap(byKind),
    ),
    gauge(
      "vigil_event_impacts_active",
      `Active events${ofPeriod} by kind, type, level, service and region. An event counts once for each of its services and regions, and without a name if it has none.`,
      byPlace(active),
    ),
    gauge(
      "vigil_events_unknown_status",
      "Events with a missing or unknown status. They count as active.",
      read.map(({ events, subject }) => ({
        labels: labelsOf(subject),
        value: events.filter(EventSummary.isUnknownStatus).length,
      })),
    ),
    gauge(
      "vigil_invalid_entries",
      "Entries of the last complete list that are not events, or with the label list not statuses of resources.",
      [
        ...read.map(({ invalid, subject }) => ({ labels: labelsOf(subject), value: invalid.length })),
        ...statuses.filter(isRead).map(({ invalid, subject }) => ({
          labels: { ...labelsOf(subject), list: "resources" },
          value: invalid.length,
        })),
      ],
    ),
  ]
}

/** Of the server and its polls. They change with each request. */
export const server = ({ every, now, state, version }: Facts): ReadonlyArray<Family> => {
  const all = polled(state)
  return [
    gauge("vigil_build_info", "The version of vigil.", [{ labels: { version }, value: 1 }]),
    counter(
      "vigil_polls_total",
      "Polls by result.",
      all.flatMap(({ labels, list }) => [
        { labels: { ...labels, result: "success" }, value: list.succeeded },
        { labels: { ...labels, result: "failure" }, value: list.failed },
      ]),
    ),
    gauge(
      "vigil_poll_success",
      "Whether the last poll of the list succeeded: 1 or 0. name: that of the subscription in the settings.",
      all
        .filter(({ list }) => Readiness.isPolled(list))
        .map(({ labels, list: { failure, name } }) => ({
          labels: { ...labels, ...(name === undefined ? {} : { name: shortName(name) }) },
          value: failure === undefined ? 1 : 0,
        })),
    ),
    gauge(
      "vigil_poll_age_seconds",
      "Time since the start of the last successful poll of the list, or since the start of the server.",
      all.map(({ labels, list }) => ({ labels, value: Readiness.age(state, list, now) / 1000 })),
    ),
    gauge(
      "vigil_poll_max_age_seconds",
      "The age from which a list is too old: it missed three polls.",
      one(Readiness.maxAge(state, every) / 1000),
    ),
    gauge(
      "vigil_poll_duration_seconds",
      "Duration of the last poll of the slowest list.",
      state.lists.some(Readiness.isPolled) ? one(Readiness.slowest(state) / 1000) : [],
    ),
  ]
}

/** Since the start of the server. None without routes. */
export const notifications = (sinks: ReadonlyArray<SinkStatus>, isStored: boolean): ReadonlyArray<Family> => [
  counter(
    "vigil_notifications_total",
    "Notifications by sink and result. failed: attempts that failed.",
    sinks.flatMap(({ deadLettered, delivered, failed, sink }) =>
      Object.entries({ delivered, failed, dead_lettered: deadLettered }).map(([result, value]) => ({
        labels: { sink, result },
        value,
      })),
    ),
  ),
  gauge(
    "vigil_notifications_waiting",
    "Events with notifications that wait for the sink.",
    sinks.map(({ pending, sink }) => ({ labels: { sink }, value: pending })),
  ),
  gauge(
    "vigil_notifications_stored",
    "Whether the changes and notifications of the last poll are stored: 1 or 0. If not, a restart repeats them.",
    one(isStored ? 1 : 0),
  ),
]
