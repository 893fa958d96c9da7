/** Labels for the values of events. Unknown values stay as sent. */
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Severity from "../events/Severity.js"
import * as Moment from "../timeline/Moment.js"
import { type Html, html } from "./Html.js"
import type { AnyEvent } from "../events/AnyEvent.js"

type Time = Timestamp.Timestamp | null | undefined

const { EventStatus, EventType } = Enumerations

const types: { readonly [T in (typeof EventType.known)[number]]: string } = {
  ServiceIssue: "Service issue",
  PlannedMaintenance: "Planned maintenance",
  HealthAdvisory: "Health advisory",
  RCA: "Post-incident review",
  EmergingIssues: "Emerging issue",
  SecurityAdvisory: "Security advisory",
  Billing: "Billing",
}

/** The text, or `otherwise` if it is empty. */
export const orElse = (text: string | null | undefined, otherwise: string): string =>
  text === null || text === undefined || text.trim() === "" ? otherwise : text

export const type = (event: AnyEvent): string => {
  const sent = event.properties?.eventType
  const known = OpenEnum.find(EventType, sent)
  return known === undefined ? orElse(sent, "Event") : types[known]
}

export const level = (event: AnyEvent): string =>
  HealthEvent.knownLevel(event) ?? orElse(Severity.level(event), "No level")

export const status = (sent: string | null | undefined): string =>
  OpenEnum.find(EventStatus, sent) ?? orElse(sent, "No status")

export const title = (event: AnyEvent): string =>
  orElse(event.properties?.title, orElse(event.name, "An event without a title"))

export const time = (millis: number, format: (millis: number) => string = Moment.minute): Html =>
  html`<time datetime="${new Date(millis).toISOString()}">${format(millis)}</time>`

export const timestamp = (timestamp: Time): Html =>
  Option.match(Timestamp.instant(timestamp), {
    onNone: () => html`${orElse(timestamp, "unknown")}`,
    onSome: (instant) => time(DateTime.toEpochMillis(instant)),
  })

export const distinct = (names: ReadonlyArray<string | null | undefined>): ReadonlyArray<string> => [
  ...new Set(names.map((name) => orElse(name, "")).filter((name) => name !== "")),
]

export const services = ({ properties }: AnyEvent): ReadonlyArray<string> =>
  distinct((properties?.impact ?? []).map(({ impactedService }) => impactedService))

export const regions = ({ properties }: AnyEvent): ReadonlyArray<string> =>
  distinct(
    (properties?.impact ?? []).flatMap(({ impactedRegions }) =>
      (impactedRegions ?? []).map(({ impactedRegion }) => impactedRegion),
    ),
  )
