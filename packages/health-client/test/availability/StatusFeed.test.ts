/** The changes between lists. */
import { describe, expect, it } from "@effect/vitest"
import { Feed, type StatusChanges, StatusFeed, SubscriptionId } from "@vigil/health-client"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import { availabilityStatus } from "@vigil/health-schema/testing"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"

type Page = StatusFeed.Page

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

/** Polls once, from a stored text to the next one. */
const poll = (text: string | undefined, pages: ReadonlyArray<Page>) => {
  const feed = StatusFeed.make(SubscriptionId.make("s1"), Effect.succeed(pages))
  const now = DateTime.makeUnsafe(0)
  return Effect.runSync(Effect.flatMap(Feed.load(feed, text, now), (stored) => Feed.step(feed, stored, now)))
}

/** Returns the changes of each list, as text. */
const run = (...lists: ReadonlyArray<ReadonlyArray<Page>>) => {
  let stored: string | undefined
  return lists.map((pages) => {
    const { changes, text = stored } = poll(stored, pages)
    stored = text
    return changes.map((change) => {
      const states = ["before" in change ? change.before : "", "state" in change ? change.state : ""]
      return `${change._tag} ${change.id.split("/").at(-1)} ${states.filter(Boolean).join(" to ")}`
    })
  })
}

describe("a feed of states", () => {
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

  it("reads the latest or else the worst status of a resource that a list contains twice, and none without an ID", () => {
    const [early, late] = ["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"]
    const twice = [status("a", "Degraded", late), status("a", "Available", early)]
    const equal = [status("b", "Degraded", late), status("b", "Available", late)]
    const reverse = [status("c", "Available", late), status("c", "Degraded", late)]
    const worse = [status("d", "Unavailable", late), status("d", "Degraded", late)]
    expect(run([page(...twice, ...equal, ...reverse, ...worse, { properties: {} })])).toEqual([
      ["Appeared a Degraded", "Appeared b Degraded", "Appeared c Degraded", "Appeared d Unavailable"],
    ])
  })

  it("has nothing to store if nothing changed, and its changes lead from any list to any other", () => {
    const lists = FastCheck.array(availabilityStatus, { maxLength: 5 })
    /** Applies changes to the states of resources. */
    const apply = (states: Map<string, string>, changes: ReadonlyArray<StatusChanges.Change>) => {
      for (const change of changes)
        if (change._tag === "Disappeared") states.delete(ResourceId.key(change.id))
        else states.set(ResourceId.key(change.id), change.state.toLowerCase())
      return states
    }
    FastCheck.assert(
      FastCheck.property(lists, lists, (one, other) => {
        const first = poll(undefined, [page(...one)])
        expect(poll(first.text, [page(...one)])).toEqual({ changes: [], text: undefined, invalid: [] })
        const second = poll(first.text, [page(...other)])
        const third = poll(second.text ?? first.text, [page(...other)])
        const states = apply(new Map(), [...first.changes, ...second.changes, ...third.changes])
        expect(states).toEqual(apply(new Map(), poll(undefined, [page(...other)]).changes))
      }),
    )
  })
})
