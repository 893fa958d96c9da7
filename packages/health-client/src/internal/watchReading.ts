/** One reading of a watched list: what is to be told of what it has, and of what it leaves out. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as EventsPage from "@vigil/health-schema/EventsPage"
import type * as Listing from "../Listing.js"
import { identity, isResolved, keyOf, lastUpdate } from "./sighting.js"
import type * as watchMemory from "./watchMemory.js"

type Steps<V extends ApiVersion.ApiVersion> = ReadonlyArray<watchMemory.Step<V>>

/** A reading of the list from `start` on (milliseconds since 1970). */
export interface Reading<V extends ApiVersion.ApiVersion> {
  /** Takes a page in. */
  readonly page: (page: Listing.EventPage<V>) => void
  /** What is to be told by now: nothing, while less has gathered than is known. Whatever is written has doubled since the last time. */
  readonly due: () => Steps<V>
  /** The same, however little it is. */
  readonly gathered: () => Steps<V>
  /** Whether something is left out of what was read, which another reading may find: pages shift while they are read. */
  readonly isInDoubt: () => boolean
  /** All that is left to be told, and what is known at the end only: what went back to an older state, and what is left out, and so gone. */
  readonly rest: () => Steps<V>
  /** Whether it is known of all that lists reach whether it is there: not while an entry that is no event may be one that was not seen. */
  readonly isSure: () => boolean
  /** Forgets what is resolved, and was updated last before then or does not say when and is left out. */
  readonly forget: (before: number) => void
  /** Once the list is complete: forgets an unresolved event that complete lists have left out since `before` (milliseconds since 1970). */
  readonly forgetUnlisted: (now: number, before: number) => void
}

/** Begins to read. */
export const make = <V extends ApiVersion.ApiVersion>(memory: watchMemory.Memory<V>, start: number): Reading<V> => {
  type Event = HealthEvent.HealthEvent<V>

  /** By the last update of each sight. */
  const seen = new Map<string, number>()
  /** Sights that are older than what is known: the event may stand in the list again, as it is now. */
  const older = new Map<string, Event>()
  /** What entries that are no events are called. */
  const spared = new Set<string>()
  /** What is to be told, each event once. */
  const gathering = new Map<string, watchMemory.Step<V>>()
  let pages = 0
  let sure = true

  const isSpared = (key: string, { name }: Event): boolean =>
    spared.has(key) || (typeof name === "string" && spared.has(name.toLowerCase()))
  const unseen = () => memory.latest().filter(([key, event]) => !seen.has(key) && !isSpared(key, event))
  const inReach = ([key]: readonly [string, Event]) => memory.updated(key) >= start
  const leftOut = () => (sure ? unseen() : [])
  const missing = () => leftOut().filter(inReach)
  /** What lists may have or not, but is over when they have not. */
  const undated = () => leftOut().filter(([, event]) => isResolved(event) && lastUpdate(event) === undefined)

  /** An entry that is no event is not gone, if it says which one it is. */
  const spare = ({ raw }: EventsPage.Invalid) => {
    const key = identity(raw)
    if (key === undefined) sure = false
    else spared.add(key)
  }

  const gather = (key: string, event: Event) => {
    gathering.delete(key)
    for (const step of memory.seen(key, event)) gathering.set(key, step)
  }

  const gathered = (): Steps<V> => {
    const steps = [...gathering.values()]
    gathering.clear()
    return steps
  }

  return {
    page: ({ invalid, items }) => {
      pages += 1
      for (const entry of invalid) spare(entry)
      for (const event of items) {
        const key = keyOf(event)
        const at = lastUpdate(event) ?? Number.NEGATIVE_INFINITY
        // Seen in this reading as it is now, or as it was since.
        if (at <= (seen.get(key) ?? Number.NaN)) continue
        seen.set(key, at)
        if (at < memory.updated(key)) {
          older.set(key, event)
          continue
        }
        older.delete(key)
        gather(key, event)
      }
    },
    due: () => (gathering.size < memory.size() ? [] : gathered()),
    gathered,
    isInDoubt: () => pages > 1 && (missing().length > 0 || undated().length > 0),
    rest: () => {
      for (const [key, event] of older) gather(key, event)
      return [...gathered(), ...missing().map(([key, event]) => memory.gone(key, event))]
    },
    isSure: () => sure || !unseen().some(inReach),
    forgetUnlisted: (now, before) =>
      memory.recordUnlisted(
        unseen().map(([key]) => key),
        now,
        before,
      ),
    forget: (before) => memory.forget(before, new Set(undated().map(([key]) => key))),
  }
}
