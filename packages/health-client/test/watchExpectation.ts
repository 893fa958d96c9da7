/** The expected state after the changes of a watch, and the rules for each change. */
import { expect } from "@effect/vitest"
import type { Feed, Watch } from "@vigil/health-client"
import { type ApiVersion, Changes, HealthEvent } from "@vigil/health-schema"
import { hour, isOwn, updatedAt, type World } from "./watchWorld.js"

const { isResolved } = HealthEvent

export const lookback = 48 * hour
const retention = 30 * 24 * hour
const unresolvedRetention = 90 * 24 * hour

/** What every version of the API sends of an event. */
const essence = (event: HealthEvent.AnyEvent | undefined): HealthEvent.AnyEvent =>
  JSON.parse(JSON.stringify(event ?? {}), (name, value: unknown) => (isOwn(name) ? undefined : value))

/** Checks each change, then applies it to the expected state, even if the watch does not know that the change was delivered. */
export const expectation = () => {
  const expected = new Map<string, HealthEvent.AnyEvent>()
  /** The IDs of events with a change that was pending at a restart. The watch may emit any change for them. */
  const pendingIds = new Set<string>()
  /** The latest start of a list. */
  let latestStart = Number.NEGATIVE_INFINITY
  /** The latest time of a list. */
  let latest = Number.NEGATIVE_INFINITY

  /** Whether the watch may have forgotten an event, because lists have not reached its last update for long enough. */
  const isForgotten = (event: HealthEvent.AnyEvent) =>
    updatedAt(event) < (isResolved(event) ? latestStart - retention : latest - lookback - unresolvedRetention)

  /** `poll`: the list that the change is from; `undefined` for one of an earlier run. */
  const check = (
    change: Watch.Change<ApiVersion.ApiVersion>,
    poll: { readonly start: number; readonly isListed: (id: string) => boolean } | undefined,
  ) => {
    const { event } = change
    const id = event.id ?? ""
    const known = expected.get(id)
    const isCertain = !pendingIds.delete(id)
    if (change._tag === "Disappeared") {
      if (isCertain) expect(essence(event)).toEqual(essence(known))
      if (poll !== undefined) {
        expect(updatedAt(event)).toBeGreaterThanOrEqual(poll.start)
        expect(poll.isListed(id)).toBe(false)
      }
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
    const changes = { ...change.changes, fields: change.changes.fields.filter(({ path }) => !isOwn(path)) }
    expect(Changes.isEmpty(changes)).toBe(false)
    const events = [essence(known), essence(event)] as const
    // After a change of the version, a field that only one of them has does not count.
    expect([Changes.compare(...events), Changes.compareShared(...events)]).toContainEqual(changes)
    const tag = isResolved(known) === isResolved(event) ? "Updated" : isResolved(event) ? "Resolved" : "Reopened"
    expect(change._tag).toBe(tag)
  }

  /** The change that was just recorded comes again. */
  const repeat = (id: string) => void pendingIds.add(id)

  /** Sets the pending changes at a start. The watch must know all other events as delivered. */
  const begin = (
    stored: Feed.Stored<Watch.State<ApiVersion.ApiVersion>, Watch.Change<ApiVersion.ApiVersion>> | undefined,
  ) => {
    pendingIds.clear()
    for (const { event } of stored?.pending ?? []) pendingIds.add(event.id ?? "")
    for (const { event } of stored?.state.events.values() ?? [])
      if (!pendingIds.has(event.id ?? "")) expect(essence(expected.get(event.id ?? ""))).toEqual(essence(event))
  }

  /** Without pending changes, the expected state equals the listed events. */
  const compare = (world: World, start: number) => {
    const textsOf = (events: ReadonlyMap<string, HealthEvent.AnyEvent>) =>
      new Map(
        Array.from(events)
          .filter(([, event]) => updatedAt(event) >= start)
          .map(([id, event]) => [id, essence(event)]),
      )
    expect(textsOf(expected)).toEqual(textsOf(world.events))
  }

  const recordList = (start: number, now: number) => {
    latestStart = Math.max(latestStart, start)
    latest = Math.max(latest, now)
  }

  return { begin, check, compare, recordList, repeat }
}
