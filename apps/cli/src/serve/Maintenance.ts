/** The planned maintenance that polls found, with cancellations: the content of the calendar. */
import { createHash } from "node:crypto"
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
  /** According to the service, whose clock may be wrong. */
  readonly updated: number
  /** Of this version. Never decreases, because clients ignore older versions. */
  readonly modified: number
  readonly isCancelled: boolean
  /** How many polls in a row did not find the event. */
  readonly misses: number
}

/** By the stable ID of the event. */
export type Entries = ReadonlyMap<string, Entry>

export const none: Entries = new Map()

/** A complete poll. Events last updated before `reach` are no longer listed. `invalid`: the raw values of invalid entries. */
export interface Poll {
  readonly events: ReadonlyArray<AnyEvent>
  readonly invalid: ReadonlyArray<unknown>
  readonly reach: number
  readonly now: number
}

/** Pages may shift while they are read, so one poll may miss an event. */
const maxMisses = 2

/** How long a cancelled or finished entry stays, so that each client sees its last version. */
const retention = 30 * 86_400_000

const maxIdLength = 100

/** The escaped tracking ID in lower case, else the `id` of the record; `undefined` without both. Accepts invalid entries. */
const idOf = (event: unknown): string | undefined => {
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

const fromEvent = (event: AnyEvent, now: number): Entry | undefined => {
  const { eventType, impactMitigationTime, impactStartTime, lastUpdateTime, status } = event.properties ?? {}
  const start = time(impactStartTime)
  if (start === undefined || !OpenEnum.equals(eventType, "PlannedMaintenance")) return undefined
  const end = time(impactMitigationTime)
  const updated = time(lastUpdateTime) ?? start
  const modified = Math.min(updated, now)
  // Maintenance that is resolved before its start does not take place.
  const isEarly = modified < start || (end !== undefined && end <= start)
  const isCancelled = isCancelledStatus(status) || (HealthEvent.isResolved(event) && isEarly)
  return {
    event,
    start,
    end: end !== undefined && end > start ? end : undefined,
    updated,
    modified,
    isCancelled,
    misses: 0,
  }
}

const fields = ["start", "end", "updated", "isCancelled"] as const

/**
 * The same version as the previous entry if nothing changed, else a later one. It is as little later as possible, so that the next update is
 * later than it even if a restart forgets it.
 */
const after = (previous: Entry | undefined, entry: Entry): Entry => {
  if (previous === undefined) return entry
  const isChanged = fields.some((field) => previous[field] !== entry[field])
  const modified = isChanged ? Math.max(entry.modified, previous.modified + 1_000) : previous.modified
  return { ...entry, modified }
}

/** An entry that a poll did not find: kept, cancelled, or removed. */
const missed = (entry: Entry, { now, reach }: Poll): Entry | undefined => {
  if (now - Math.max(entry.end ?? entry.start, entry.modified) > retention) return undefined
  // Lists no longer reach its last update, it is over, or it is cancelled.
  if (entry.updated < reach || entry.isCancelled || (entry.end ?? entry.start) <= now) return entry
  const misses = entry.misses + 1
  return misses < maxMisses ? { ...entry, misses } : after(entry, { ...entry, misses, isCancelled: true })
}

/** The entries after a poll. Disappeared maintenance is cancelled if it is not over. An invalid entry keeps its event. */
export const next = (previous: Entries, poll: Poll): Entries => {
  const entries = new Map<string, Entry>()
  for (const event of poll.events) {
    const id = idOf(event)
    if (id === undefined) continue
    const entry = fromEvent(event, poll.now)
    if (entry !== undefined) entries.set(id, after(previous.get(id), entry))
  }
  const invalid = new Set(poll.invalid.map(idOf))
  for (const [id, entry] of previous) {
    if (entries.has(id)) continue
    const kept = invalid.has(id) || invalid.has(undefined) ? entry : missed(entry, poll)
    if (kept !== undefined) entries.set(id, kept)
  }
  return entries
}
