/** Labels for the values of events. Unknown values stay as sent. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Severity from "../events/Severity.js"
import * as Moment from "../timeline/Moment.js"
import { type Html, html } from "./Html.js"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>
type Time = Timestamp.Timestamp | null | undefined

const { EventLevel, EventStatus, EventType } = Enumerations
const eventType = EventType

const types: { readonly [T in (typeof eventType.known)[number]]: string } = {
  ServiceIssue: "Service issue",
  PlannedMaintenance: "Planned maintenance",
  HealthAdvisory: "Health advisory",
  RCA: "Post-incident review",
  EmergingIssues: "Emerging issue",
  SecurityAdvisory: "Security advisory",
  Billing: "Billing",
}

/** The text, or `otherwise` if it is empty. */
export const or = (text: string | null | undefined, otherwise: string): string =>
  text === null || text === undefined || text.trim() === "" ? otherwise : text

export const type = (event: AnyEvent): string => {
  const sent = event.properties?.eventType
  const known = OpenEnum.find(eventType, sent)
  return known === undefined ? or(sent, "Event") : types[known]
}

export const level = (event: AnyEvent): string => {
  const sent = Severity.sent(event.properties)
  return OpenEnum.find(EventLevel, sent) ?? or(sent, "No level")
}

export const status = (sent: string | null | undefined): string =>
  OpenEnum.find(EventStatus, sent) ?? or(sent, "No status")

export const title = (event: AnyEvent): string =>
  or(event.properties?.title, or(event.name, "An event without a title"))

export const time = (at: number, said: (at: number) => string = Moment.minute): Html =>
  html`<time datetime="${new Date(at).toISOString()}">${said(at)}</time>`

/** A formatted time; as sent if it has no instant. */
export const sent = (timestamp: Time, said?: (at: number) => string): Html =>
  Option.match(Timestamp.instant(timestamp), {
    onNone: () => html`${or(timestamp, "not said")}`,
    onSome: (instant) => time(DateTime.toEpochMillis(instant), said),
  })

/** The names without duplicates and empty texts. */
export const distinct = (names: ReadonlyArray<string | null | undefined>): ReadonlyArray<string> => [
  ...new Set(names.map((name) => or(name, "")).filter((name) => name !== "")),
]
