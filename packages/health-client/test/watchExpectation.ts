/** The expected state after the changes of a watch, and the rules for each change. */
import { expect } from "@effect/vitest"
import type { Watch } from "@vigil/health-client"
import { Changes, type HealthEvent } from "@vigil/health-schema"
import { isResolved, updated, type World } from "./watchWorld.js"

/** The options of the watch, in milliseconds. */
interface Options {
  readonly lookback: number
  readonly retention: number
  readonly unresolvedRetention: number
}

/** Checks changes one by one and adds them up. A change counts as emitted even if the watch does not know that it was delivered. */
export const expectation = ({ lookback, retention, unresolvedRetention }: Options) => {
  const expected = new Map<string, HealthEvent.HealthEvent>()
  /** Changes that were pending at a restart: they are emitted again, in any form. */
  const pendingIds = new Set<string>()
  /** The latest start of a list. */
  let latestStart = Number.NEGATIVE_INFINITY
  /** The latest time of a list. */
  let latest = Number.NEGATIVE_INFINITY

  /** Whether the watch may have forgotten it, because lists have not reached its last update for long enough. */
  const isForgotten = (event: HealthEvent.HealthEvent) =>
    updated(event) < (isResolved(event) ? latestStart - retention : latest - lookback - unresolvedRetention)

  const check = (change: Watch.Change, start: number, isListed: (id: string) => boolean) => {
    const { event } = change
    const id = event.id ?? ""
    const known = expected.get(id)
    const isCertain = !pendingIds.delete(id)
    if (change._tag === "Disappeared") {
      if (isCertain) expect(event).toEqual(known)
      expect(updated(event)).toBeGreaterThanOrEqual(start)
      expect(isListed(id)).toBe(false)
      expected.delete(id)
      return
    }
    expected.set(id, event)
    if (!isCertain) return
    if (change._tag === "Appeared") {
      if (known !== undefined) expect(isForgotten(known)).toBe(true)
      return
    }
    if (known === undefined) return expect.fail(`${change._tag} ${id} of an unknown event`)
    expect(Changes.isEmpty(change.changes)).toBe(false)
    expect(change.changes).toEqual(Changes.compare(known, event))
    const tag = isResolved(known) === isResolved(event) ? "Updated" : isResolved(event) ? "Resolved" : "Reopened"
    expect(change._tag).toBe(tag)
  }

  /** At a start, these changes are pending; the watch knows all others as delivered. */
  const begin = (pending: Iterable<string>, delivered: ReadonlyMap<string, HealthEvent.HealthEvent>) => {
    pendingIds.clear()
    for (const id of pending) pendingIds.add(id)
    for (const [id, event] of delivered) if (!pendingIds.has(id)) expect(expected.get(id)).toEqual(event)
  }

  /** Without pending changes, the expected state equals the listed events. */
  const compare = (world: World, start: number) => {
    const inReach = (events: Iterable<HealthEvent.HealthEvent>) =>
      new Map(Array.from(events, (event) => [event.id, event] as const).filter(([, event]) => updated(event) >= start))
    const listed = inReach(world.events.values())
    for (const [id, event] of listed) expect(expected.get(id ?? "")).toEqual(event)
    for (const id of inReach(expected.values()).keys()) expect(listed.has(id)).toBe(true)
  }

  const reach = (start: number, now: number) => {
    latestStart = Math.max(latestStart, start)
    latest = Math.max(latest, now)
  }

  return { begin, check, compare, reach }
}
