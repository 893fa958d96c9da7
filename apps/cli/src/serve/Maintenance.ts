/** The planned maintenance of events: the content of the calendar. */
import { createHash } from "node:crypto"
import * as Events from "@vigil/health-schema/Events"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { AnyEvent } from "../connection/AnyEvent.js"

/** Times are milliseconds since 1970. */
export interface Entry {
  readonly event: AnyEvent
  readonly start: number
  readonly end: number | undefined
  /** Of this version, according to the service: clients ignore older versions. */
  readonly modified: number
  readonly isCancelled: boolean
}

/** By the stable ID of the event. */
export type Entries = ReadonlyMap<string, Entry>

const maxIdLength = 100

/** The escaped tracking ID in lower case, else the `id` of the record; `undefined` without both. */
const idOf = (event: AnyEvent): string | undefined => {
  const key = HealthEvent.eventKey(event)
  if (key === undefined) return undefined
  const id = encodeURIComponent(key.toWellFormed())
  return id.length > maxIdLength ? createHash("sha256").update(key).digest("hex") : id
}

/** Milliseconds since 1970. Calendars have years of four digits, and a time zone can lead beyond them. */
const time = (timestamp: Timestamp.Timestamp | null | undefined): number | undefined =>
  Timestamp.instant(timestamp).pipe(
    Option.filter((instant) => /^\d{4}-/.test(DateTime.formatIso(instant))),
    Option.map(DateTime.toEpochMillis),
    Option.getOrUndefined,
  )

/** The service has no such status in its document, but the enumeration is open. */
const isCancelledStatus = (status: string | null | undefined): boolean =>
  ["canceled", "cancelled"].includes(status?.toLowerCase() ?? "")

const fromEvent = (event: AnyEvent): Entry | undefined => {
  const { eventType, impactMitigationTime, impactStartTime, lastUpdateTime, status } = event.properties ?? {}
  const start = time(impactStartTime)
  if (start === undefined || !OpenEnum.equals(eventType, "PlannedMaintenance")) return undefined
  const end = time(impactMitigationTime)
  const modified = time(lastUpdateTime) ?? start
  // Maintenance that is resolved before its start does not take place.
  const isEarly = modified < start || (end !== undefined && end <= start)
  const isCancelled =
    isCancelledStatus(status) || Events.isFalsePositive(event) || (HealthEvent.isResolved(event) && isEarly)
  return { event, start, end: end !== undefined && end > start ? end : undefined, modified, isCancelled }
}

/** The planned maintenance of these events. A restart changes nothing: it depends only on them. */
export const fromEvents = (events: ReadonlyArray<AnyEvent>): Entries =>
  new Map(
    events.flatMap((event) => {
      const [id, entry] = [idOf(event), fromEvent(event)]
      return id === undefined || entry === undefined ? [] : [[id, entry] as const]
    }),
  )
