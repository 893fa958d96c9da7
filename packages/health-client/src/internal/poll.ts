/** One poll of a watch: reads the list and compares it with the known events. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as Listing from "../Listing.js"
import { difference, type Entry, lastUpdate, latest, type KeyedChange, updatedAt } from "./watchState.js"

/** In milliseconds. */
interface Times {
  readonly now: number
  readonly start: number
  readonly retention: number
  readonly unresolvedRetention: number
}

/** Begins a poll. `entries` changes only in `complete`. */
export const make = <V extends ApiVersion.ApiVersion>(entries: Map<string, Entry<V>>, times: Times) => {
  const { now, retention, start, unresolvedRetention } = times
  const listed = new Map<string, HealthEvent.HealthEvent<V>>()
  /** Events of invalid entries have not disappeared. */
  const invalidKeys = new Set<string | undefined>()
  let pages = 0

  const isUnseen = (key: string, event: HealthEvent.HealthEvent<V>): boolean =>
    !listed.has(key) && !invalidKeys.has(key) && !invalidKeys.has(HealthEvent.trackingKey(event) ?? key)

  const unseen = () =>
    Array.from(entries, ([key, entry]) => ({ key, event: latest(entry) })).flatMap(({ event, key }) =>
      event !== undefined && isUnseen(key, event) ? [{ key, event }] : [],
    )
  const isInRange = ({ event }: { readonly event: HealthEvent.HealthEvent<V> }) => updatedAt(event) >= start
  /** Without a key, an invalid entry could be any event. */
  const isAmbiguous = () => invalidKeys.has(undefined)
  /** Services may omit these from a list. They are then removed without a change. */
  const isUndated = (event: HealthEvent.HealthEvent<V>) =>
    HealthEvent.isResolved(event) && lastUpdate(event) === undefined

  return {
    read: ({ invalid, items }: Listing.EventPage<V>): void => {
      pages += 1
      for (const { raw } of invalid) invalidKeys.add(HealthEvent.recordKey(raw))
      for (const event of items) {
        // An event without a key is identified by its content.
        const key = HealthEvent.recordKey(event) ?? JSON.stringify(event)
        const other = listed.get(key)
        if (other === undefined || updatedAt(event) > updatedAt(other)) listed.set(key, event)
      }
    },

    /** Whether to read the list again: an event is missing, but pages may have shifted. */
    needsSecondRead: (): boolean =>
      pages > 1 && !isAmbiguous() && unseen().some((missing) => isInRange(missing) || isUndated(missing.event)),

    /** The changes to emit. In an incomplete list, older states do not count: a later page may contain the latest. */
    changes: (isComplete: boolean): ReadonlyArray<KeyedChange<V>> => {
      const changes: Array<KeyedChange<V>> = []
      for (const [key, event] of listed) {
        const entry = entries.get(key)
        if (!isComplete && updatedAt(event) < updatedAt(latest(entry))) continue
        const change = difference(entry, event)
        if (change !== undefined) changes.push({ key, change })
      }
      if (isComplete && !isAmbiguous())
        for (const { event, key } of unseen().filter(isInRange))
          changes.push({ key, change: { _tag: "Disappeared", event } })
      return changes
    },

    /** Removes old events after a complete list. `isCertain` is `false` if an invalid entry may hide a known event. */
    complete: (): { readonly isChanged: boolean; readonly isCertain: boolean } => {
      let isChanged = false
      for (const [key, entry] of entries) {
        const event = latest(entry)
        if (event === undefined) continue
        const isMissing = isUnseen(key, event)
        const unlistedSince = isMissing && !HealthEvent.isResolved(event) ? (entry.unlistedSince ?? now) : undefined
        const isForgotten = HealthEvent.isResolved(event)
          ? isUndated(event)
            ? isMissing && !isAmbiguous()
            : updatedAt(event) < start - retention
          : unlistedSince !== undefined && unlistedSince <= now - unresolvedRetention
        if (isForgotten) entries.delete(key)
        else if (unlistedSince !== entry.unlistedSince) entries.set(key, { ...entry, unlistedSince })
        else continue
        isChanged = true
      }
      return { isChanged, isCertain: !isAmbiguous() || !unseen().some(isInRange) }
    },
  }
}
