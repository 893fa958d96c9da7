/** One reading of a watched list: what is different from what is known, and what has gone. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as EventsPage from "@vigil/health-schema/EventsPage"
import type * as Listing from "../Listing.js"
import type * as Watch from "../Watch.js"
import { compare, identity, isResolved, keyOf, lastUpdate } from "./sighting.js"

/** The events that are known, by what they are known by. */
export interface Memory<V extends ApiVersion.ApiVersion> {
  readonly events: Map<string, HealthEvent.HealthEvent<V>>
  /** Called when they have changed. */
  readonly changed: () => void
}

/** Changes one by one: what stands after a `yield` is done when another one is asked for, and so once that one is told. */
type Telling<V extends ApiVersion.ApiVersion> = IterableIterator<Watch.Change<V>>

/** A reading of the list from `start` on (milliseconds since 1970). */
export interface Reading<V extends ApiVersion.ApiVersion> {
  /** What a page says that is new. */
  readonly page: (page: Listing.EventPage<V>) => Telling<V>
  /** Whether something is left out of what was read, which another reading may find: pages shift while they are read. */
  readonly isInDoubt: () => boolean
  /** What is known at the end only: what went back to an older state, and what is left out, and so gone. */
  readonly rest: () => Telling<V>
  /** Forgets what will not be listed any more. */
  readonly forget: (before: number) => void
}

/** Begins to read. */
export const make = <V extends ApiVersion.ApiVersion>({ changed, events }: Memory<V>, start: number): Reading<V> => {
  type Event = HealthEvent.HealthEvent<V>
  const updated = (event: Event | undefined): number =>
    (event === undefined ? undefined : lastUpdate(event)) ?? Number.NEGATIVE_INFINITY

  /** By the last update of each sight. */
  const seen = new Map<string, number>()
  /** Sights that are older than what is known: the event may stand in the list again, as it is now. */
  const older = new Map<string, Event>()
  /** What entries that are no events are called. */
  const spared = new Set<string>()
  let pages = 0
  let sure = true

  const isSpared = (name: string | null | undefined): boolean => typeof name === "string" && spared.has(name)
  const isMissing = (key: string, event: Event): boolean =>
    !seen.has(key) && !isSpared(key) && !isSpared(event.name) && updated(event) >= start
  const missing = () => (sure ? [...events].filter(([key, event]) => isMissing(key, event)) : [])

  /** An entry that is no event is not gone, if it says which one it is. */
  const spare = ({ raw }: EventsPage.Invalid) => {
    const key = identity(raw)
    if (key === undefined) sure = false
    else spared.add(key)
  }

  function* tell(key: string, event: Event): Telling<V> {
    const change = compare(events.get(key), event)
    if (change === undefined) return
    yield change
    events.set(key, event)
    changed()
  }

  return {
    *page({ invalid, items }) {
      pages += 1
      for (const entry of invalid) spare(entry)
      for (const event of items) {
        const key = keyOf(event)
        const at = updated(event)
        // Seen in this reading as it is now, or as it was since.
        if (at <= (seen.get(key) ?? Number.NaN)) continue
        seen.set(key, at)
        if (at < updated(events.get(key))) {
          older.set(key, event)
          continue
        }
        older.delete(key)
        yield* tell(key, event)
      }
    },
    isInDoubt: () => pages > 1 && missing().length > 0,
    *rest() {
      for (const [key, event] of older) yield* tell(key, event)
      for (const [key, event] of missing()) {
        yield { _tag: "Disappeared", event }
        events.delete(key)
        changed()
      }
    },
    forget: (before) => {
      for (const [key, event] of events)
        if (isResolved(event) && (lastUpdate(event) ?? before) < before) {
          events.delete(key)
          changed()
        }
    },
  }
}
