/** What a watch told, added up, and the rules that each of its changes keeps. */
import { expect } from "@effect/vitest"
import type { Watch } from "@vigil/health-client"
import { Changes, type HealthEvent } from "@vigil/health-schema"
import { isResolved, updated, type World } from "./watchWorld.js"

/** The options of the watch. */
interface Options {
  readonly lookback: number
  readonly retention: number
  readonly unresolvedRetention: number
}

/**
 * What is expected of the changes that are told, one after the other, and what they add up to. A change is told when it is delivered,
 * whether or not the watch comes to know that. All options are in milliseconds.
 */
export const ledger = ({ lookback, retention, unresolvedRetention }: Options) => {
  const fold = new Map<string, HealthEvent.HealthEvent>()
  /** What was told perhaps before the watch was started again: it is told again, in whatever words. */
  const doubtful = new Set<string>()
  /** The furthest instant that a list began at. */
  let furthest = Number.NEGATIVE_INFINITY
  /** The latest instant at which a list was read. */
  let latest = Number.NEGATIVE_INFINITY

  /** Whether the watch may have forgotten it: lists have not reached its last update for long enough. */
  const isForgotten = (event: HealthEvent.HealthEvent) =>
    updated(event) < (isResolved(event) ? furthest - retention : latest - lookback - unresolvedRetention)

  const tell = (change: Watch.Change, start: number, wasThere: (id: string) => boolean) => {
    const { event } = change
    const id = event.id ?? ""
    const known = fold.get(id)
    const isSure = !doubtful.delete(id)
    if (change._tag === "Disappeared") {
      if (isSure) expect(event).toEqual(known)
      expect(updated(event)).toBeGreaterThanOrEqual(start)
      expect(wasThere(id)).toBe(false)
      fold.delete(id)
      return
    }
    fold.set(id, event)
    if (!isSure) return
    if (change._tag === "Appeared") {
      if (known !== undefined) expect(isForgotten(known)).toBe(true)
      return
    }
    if (known === undefined) return expect.fail(`${change._tag} ${id}, of which nothing was told`)
    expect(Changes.isEmpty(change.changes)).toBe(false)
    expect(change.changes).toEqual(Changes.compare(known, event))
    const turn = isResolved(known) === isResolved(event) ? "Updated" : isResolved(event) ? "Resolved" : "Reopened"
    expect(change._tag).toBe(turn)
  }

  /** At a start: these are in doubt, and of all others the watch knows what was told. */
  const begin = (perhaps: Iterable<string>, sure: ReadonlyMap<string, HealthEvent.HealthEvent>) => {
    doubtful.clear()
    for (const id of perhaps) doubtful.add(id)
    for (const [id, event] of sure) if (!doubtful.has(id)) expect(fold.get(id)).toEqual(event)
  }

  /** At a quiet moment: what lists reach is what was told, and nothing else. */
  const compare = (world: World, start: number) => {
    const inReach = (events: Iterable<HealthEvent.HealthEvent>) =>
      new Map(Array.from(events, (event) => [event.id, event] as const).filter(([, event]) => updated(event) >= start))
    const there = inReach(world.events.values())
    for (const [id, event] of there) expect(fold.get(id ?? "")).toEqual(event)
    for (const id of inReach(fold.values()).keys()) expect(there.has(id)).toBe(true)
  }

  const reach = (start: number, now: number) => {
    furthest = Math.max(furthest, start)
    latest = Math.max(latest, now)
  }

  return { begin, tell, compare, reach }
}
