/** What a watch told, added up, and the rules that each of its changes keeps. */
import { expect } from "@effect/vitest"
import type { Watch } from "@vigil/health-client"
import { Changes, type HealthEvent } from "@vigil/health-schema"
import { isResolved, updated, type World } from "./watchWorld.js"

/** What is expected of the changes that are told, one after the other, and what they add up to. */
export const ledger = () => {
  const fold = new Map<string, HealthEvent.HealthEvent>()
  /** The furthest instant that a list began at: what is resolved and older may be forgotten. */
  let furthest = Number.NEGATIVE_INFINITY

  const tell = (change: Watch.Change, start: number, wasThere: (id: string) => boolean) => {
    const { event } = change
    const id = event.id ?? ""
    const known = fold.get(id)
    if (change._tag === "Disappeared") {
      expect(event).toEqual(known)
      expect(updated(event)).toBeGreaterThanOrEqual(start)
      expect(wasThere(id)).toBe(false)
      fold.delete(id)
      return
    }
    fold.set(id, event)
    if (change._tag === "Appeared") {
      if (known !== undefined) expect([isResolved(known), updated(known) < furthest]).toEqual([true, true])
      return
    }
    if (known === undefined) return expect.fail(`${change._tag} ${id}, of which nothing was told`)
    expect(Changes.isEmpty(change.changes)).toBe(false)
    expect(change.changes).toEqual(Changes.between(known, event))
    const turn = isResolved(known) === isResolved(event) ? "Updated" : isResolved(event) ? "Resolved" : "Reopened"
    expect(change._tag).toBe(turn)
  }

  /** At a quiet moment: what lists reach is what was told, and nothing else. */
  const compare = (world: World, start: number) => {
    const inReach = (events: Iterable<HealthEvent.HealthEvent>) =>
      new Map(Array.from(events, (event) => [event.id, event] as const).filter(([, event]) => updated(event) >= start))
    const there = inReach(world.events.values())
    for (const [id, event] of there) expect(fold.get(id ?? "")).toEqual(event)
    for (const id of inReach(fold.values()).keys()) expect(there.has(id)).toBe(true)
  }

  return { tell, compare, reach: (start: number) => (furthest = Math.max(furthest, start)) }
}
