/** The changes between lists. */
import { describe, expect, it } from "@effect/vitest"
import { StatusChanges } from "@vigil/health-client"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import { availabilityStatus } from "@vigil/health-schema/testing"
import * as Schema from "effect/Schema"
import * as FastCheck from "fast-check"

type Page = Parameters<typeof StatusChanges.step>[1] extends Iterable<infer A> ? A : never

const status = (id: string, availabilityState?: string, reportedTime?: string) => ({
  id: `/subscriptions/s1/${id}/providers/Vendor.ResourceHealth/availabilityStatuses/current`,
  properties: { ...(availabilityState && { availabilityState }), ...(reportedTime && { reportedTime }) },
})

type Status = Page["items"][number]

const page = (...items: ReadonlyArray<object>): Page => ({ items: items as ReadonlyArray<Status>, invalid: [] })

const invalid = (...raws: ReadonlyArray<unknown>): Page => ({
  items: [],
  invalid: raws.map((raw, index) => ({ index, page: 1, path: "", problem: "is odd", raw })),
})

/** Returns the changes of each list, as text. The state goes through JSON, as in a store. */
const run = (...lists: ReadonlyArray<ReadonlyArray<Page>>) => {
  const stored = Schema.fromJsonString(StatusChanges.State)
  let state: StatusChanges.State = StatusChanges.empty
  return lists.map((pages) => {
    const step = StatusChanges.step(state, pages)
    state = Schema.decodeSync(stored)(Schema.encodeSync(stored)(step.state))
    return step.changes.map((change) => {
      const states = ["before" in change ? change.before : "", "state" in change ? change.state : ""]
      return `${change._tag} ${change.id.split("/").at(-1)} ${states.filter(Boolean).join(" to ")}`
    })
  })
}

describe("step", () => {
  it("finds what appears, changes and recovers, in any case, order and number of slashes", () => {
    const first = [page(status("a", "Available"), status("b", "Unavailable")), page(status("c", "Sleeping"))]
    const second = [page(status("C", "SLEEPING"), status("B//", "Degraded"), status("A", "AVAILABLE"))]
    const third = [page(status("d"), status("a", "Unknown"), status("b", "Available"), status("c", "Sleeping"))]
    expect(run(first, second, third)).toEqual([
      ["Appeared a Available", "Appeared b Unavailable", "Appeared c Sleeping"],
      ["Changed b Unavailable to Degraded"],
      ["Changed a Available to Unknown", "Recovered b Degraded to Available", "Appeared d Unknown"],
    ])
  })

  it("reports a resource as disappeared when two lists in a row lack it", () => {
    const both = [page(status("a", "Available"), status("b", "Degraded"))]
    const one = [page(status("a", "Available"))]
    expect(run(both, one, both, one, one, one, both).slice(1)).toEqual([
      [],
      [],
      [],
      ["Disappeared b Degraded"],
      [],
      ["Appeared b Degraded"],
    ])
  })

  it("keeps the resource of an invalid entry, and all resources if an invalid entry has no ID", () => {
    const both = [page(status("a", "Available"), status("b", "Degraded"))]
    const hidden = [page(status("a", "Available")), invalid(status("B", "Degraded"))]
    const any = [invalid({ id: 7 })]
    expect(run(both, hidden, hidden, any, any, both).slice(1)).toEqual([[], [], [], [], []])
  })

  it("reads the latest or else an unavailable status of a resource that a list contains twice, and none without an ID", () => {
    const [early, late] = ["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"]
    const twice = [status("a", "Degraded", late), status("a", "Available", early)]
    const equal = [status("b", "Degraded", late), status("b", "Available", late)]
    const reverse = [status("c", "Available", late), status("c", "Degraded", late)]
    expect(run([page(...twice, ...equal, ...reverse, { properties: {} })])).toEqual([
      ["Appeared a Degraded", "Appeared b Degraded", "Appeared c Degraded"],
    ])
  })

  it("returns the same state if nothing is to be stored, and its changes lead from any list to any other", () => {
    const lists = FastCheck.array(availabilityStatus, { maxLength: 5 })
    const entryOf = ({ id, state }: StatusChanges.State["resources"][number]) =>
      [ResourceId.key(id), state.toLowerCase()] as const
    FastCheck.assert(
      FastCheck.property(lists, lists, (one, other) => {
        const { state } = StatusChanges.step(StatusChanges.empty, [page(...one)])
        expect(StatusChanges.step(state, [page(...one)])).toEqual({ changes: [], state })
        expect(StatusChanges.step(state, [page(...one)]).state).toBe(state)
        const states = new Map(state.resources.map(entryOf))
        const steps = [page(...other), page(...other)].reduce<{
          readonly state: StatusChanges.State
          readonly changes: ReadonlyArray<StatusChanges.Change>
        }>(
          ({ changes, state }, list) => {
            const next = StatusChanges.step(state, [list])
            return { changes: [...changes, ...next.changes], state: next.state }
          },
          { state, changes: [] },
        )
        for (const change of steps.changes)
          if (change._tag === "Disappeared") states.delete(ResourceId.key(change.id))
          else states.set(ResourceId.key(change.id), change.state.toLowerCase())
        const expected = StatusChanges.step(StatusChanges.empty, [page(...other)]).state.resources
        expect(states).toEqual(new Map(expected.map(entryOf)))
      }),
    )
  })
})
