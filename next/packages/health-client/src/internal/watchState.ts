/** The known events of a watch, with delivered and pending changes. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as change from "./change.js"

export interface Entry<V extends ApiVersion.ApiVersion> {
  /** The delivered state: the consumer has pulled a later change. */
  readonly delivered?: HealthEvent.HealthEvent<V> | undefined
  /** The emitted state that may be lost (`null` if `Disappeared`). It is emitted again. */
  readonly pending?: HealthEvent.HealthEvent<V> | null | undefined
  /** When a complete list first lacked the unresolved event, in milliseconds since 1970. */
  readonly unlistedSince?: number | undefined
}

/** Entries by `HealthEvent.recordKey`. */
export type Entries<V extends ApiVersion.ApiVersion> = ReadonlyMap<string, Entry<V>>

export interface KeyedChange<V extends ApiVersion.ApiVersion> {
  readonly key: string
  readonly change: change.Change<V>
}

/** In milliseconds since 1970. */
export const lastUpdate = (event: HealthEvent.HealthEvent<ApiVersion.ApiVersion>): number | undefined =>
  Option.getOrUndefined(Option.map(Timestamp.instant(event.properties?.lastUpdateTime), DateTime.toEpochMillis))

/** Like `lastUpdate`, but before all times if unknown. */
export const updatedAt = (event: HealthEvent.HealthEvent<ApiVersion.ApiVersion> | null | undefined): number =>
  (event ? lastUpdate(event) : undefined) ?? Number.NEGATIVE_INFINITY

export const latest = <V extends ApiVersion.ApiVersion>({ delivered, pending }: Entry<V> = {}):
  | HealthEvent.HealthEvent<V>
  | undefined => (!pending || updatedAt(delivered) > updatedAt(pending) ? delivered : pending)

/** Returns the change to emit for a listed event. A pending change is emitted again, compared with the delivered state. */
export const difference = <V extends ApiVersion.ApiVersion>(
  { delivered, pending }: Entry<V> = {},
  event: HealthEvent.HealthEvent<V>,
): change.Change<V> | undefined => {
  if (pending === null) return change.between(undefined, event)
  const known = change.between(delivered, event)
  return pending === undefined ? known : (known ?? change.between(pending, event))
}

/** The earliest update of a pending change, in milliseconds since 1970. */
export const pendingSince = <V extends ApiVersion.ApiVersion>(entries: Entries<V>): number =>
  Array.from(entries.values(), (entry) => (entry.pending === undefined ? Infinity : updatedAt(latest(entry))))
    .filter(Number.isFinite)
    .reduce((earliest, time) => Math.min(earliest, time), Infinity)

const stateAfter = <V extends ApiVersion.ApiVersion>(change: change.Change<V>): HealthEvent.HealthEvent<V> | null =>
  change._tag === "Disappeared" ? null : change.event

/** A pending change is kept if the next state is the delivered one. */
const pendingEntry = <V extends ApiVersion.ApiVersion>(entry: Entry<V> = {}, next: change.Change<V>): Entry<V> => {
  const { delivered } = entry
  // A consumer that gets `Appeared` may no longer have an earlier state.
  if (next._tag === "Appeared") return { ...entry, delivered: undefined, pending: next.event }
  // `Disappeared` has the last known state, also if it is emitted again.
  if (next._tag === "Disappeared") return delivered ? { ...entry, delivered: next.event, pending: null } : entry
  return change.between(delivered, next.event) === undefined ? entry : { ...entry, pending: next.event }
}

/** Returns the entries with all changes pending, to store before the first is emitted. */
export const withPending = <V extends ApiVersion.ApiVersion>(
  entries: Entries<V>,
  changes: ReadonlyArray<KeyedChange<V>>,
): Entries<V> => {
  const all = new Map(entries)
  for (const { change, key } of changes) all.set(key, pendingEntry(all.get(key), change))
  return all
}

/** Emits changes one by one. A change is delivered when the consumer pulls the next one. */
export function* deliver<V extends ApiVersion.ApiVersion>(
  entries: Map<string, Entry<V>>,
  changes: ReadonlyArray<KeyedChange<V>>,
): Generator<change.Change<V>, void> {
  for (const { change, key } of changes) {
    const entry = entries.get(key)
    entries.set(key, pendingEntry(entry, change))
    yield change
    const state = stateAfter(change)
    if (state === null) entries.delete(key)
    else entries.set(key, { delivered: state, unlistedSince: entry?.unlistedSince })
  }
}
