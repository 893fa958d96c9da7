/** One poll of a watch: the list as it was read, and how it differs from the events that the watch knows. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as Listing from "../Listing.js"
import { isResolved } from "./change.js"
import { difference, type Entry, lastUpdate, latest, type Step, updatedAt } from "./watchState.js"

/** Times of a poll, in milliseconds. */
interface Times {
  readonly now: number
  /** The start of the list. */
  readonly start: number
  /** How long a resolved event is known after lists no longer reach its last update. */
  readonly retention: number
  /** How long an unresolved event is known that no complete list contains. */
  readonly unresolvedRetention: number
}

/** Begins a poll. Nothing that it reads changes `entries` before `complete`. */
export const make = <V extends ApiVersion.ApiVersion>(entries: Map<string, Entry<V>>, times: Times) => {
  const { now, retention, start, unresolvedRetention } = times
  /** The latest state of each event in the list. */
  const seen = new Map<string, HealthEvent.HealthEvent<V>>()
  /** The keys of invalid entries: their events have not disappeared. */
  const invalidKeys = new Set<string | undefined>()
  let pages = 0

  const isUnseen = (key: string, event: HealthEvent.HealthEvent<V>): boolean =>
    !seen.has(key) && !invalidKeys.has(key) && !invalidKeys.has(HealthEvent.trackingKey(event) ?? key)

  /** The known events that the list lacks. */
  const unseen = () =>
    Array.from(entries, ([key, entry]) => ({ key, event: latest(entry) })).flatMap(({ event, key }) =>
      event !== undefined && isUnseen(key, event) ? [{ key, event }] : [],
    )
  const isReached = ({ event }: { readonly event: HealthEvent.HealthEvent<V> }) => updatedAt(event) >= start
  /** Whether an invalid entry could be any event. */
  const isAmbiguous = () => invalidKeys.has(undefined)
  /** Resolved events without an update time are forgotten as soon as a list lacks them: lists may not reach them. */
  const isUndated = (event: HealthEvent.HealthEvent<V>) => isResolved(event) && lastUpdate(event) === undefined

  return {
    read: ({ invalid, items }: Listing.EventPage<V>): void => {
      pages += 1
      for (const { raw } of invalid) invalidKeys.add(HealthEvent.recordKey(raw))
      for (const event of items) {
        // An event without a key is identified by its content.
        const key = HealthEvent.recordKey(event) ?? JSON.stringify(event)
        const other = seen.get(key)
        if (other === undefined || updatedAt(event) > updatedAt(other)) seen.set(key, event)
      }
    },

    /** Whether to read the list again: an event is missing, but pages may have shifted while they were read. */
    isInDoubt: (): boolean =>
      pages > 1 && !isAmbiguous() && unseen().some((one) => isReached(one) || isUndated(one.event)),

    /** The changes to emit. If the list is incomplete, an older state does not count: the later one may be on another page. */
    steps: (isComplete: boolean): ReadonlyArray<Step<V>> => {
      const steps: Array<Step<V>> = []
      for (const [key, event] of seen) {
        const entry = entries.get(key)
        if (!isComplete && updatedAt(event) < updatedAt(latest(entry))) continue
        const change = difference(entry, event)
        if (change !== undefined) steps.push({ key, change })
      }
      if (isComplete && !isAmbiguous())
        for (const one of unseen())
          if (isReached(one)) steps.push({ key: one.key, change: { _tag: "Disappeared", event: one.event } })
      return steps
    },

    /**
     * Forgets old events once a complete list is delivered. Returns whether that changed anything, and whether every known event that
     * lists reach was accounted for: an ambiguous invalid entry may hide one.
     */
    complete: (): { readonly isChanged: boolean; readonly isCertain: boolean } => {
      let isChanged = false
      for (const [key, entry] of entries) {
        const event = latest(entry)
        if (event === undefined) continue
        const isMissing = isUnseen(key, event)
        const unlistedSince = isMissing && !isResolved(event) ? (entry.unlistedSince ?? now) : undefined
        const isForgotten = isResolved(event)
          ? isUndated(event)
            ? isMissing && !isAmbiguous()
            : updatedAt(event) < start - retention
          : unlistedSince !== undefined && unlistedSince <= now - unresolvedRetention
        if (isForgotten) entries.delete(key)
        else if (unlistedSince !== entry.unlistedSince) entries.set(key, { ...entry, unlistedSince })
        else continue
        isChanged = true
      }
      return { isChanged, isCertain: !isAmbiguous() || !unseen().some(isReached) }
    },
  }
}
