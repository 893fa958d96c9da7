/** The rules of a poll: which changes a list means, and what a watch keeps. */
import { describe, expect, it } from "@effect/vitest"
import { ApiVersion, Filter, HealthEvent, SubscriptionId, Watch, type WatchStore } from "@vigil/health-client"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { brief, day, event, hour, now, subscription } from "./watched.js"

const decodeEvent = HealthEvent.decode("2025-05-01")

const pageOf = (...entries: ReadonlyArray<unknown>): Watch.Page => {
  const results = entries.map((raw) => ({ raw, result: decodeEvent(raw) }))
  return {
    items: results.flatMap(({ result }) => (Result.isSuccess(result) ? [result.success] : [])),
    invalid: results.flatMap(({ raw, result }, index) =>
      Result.isFailure(result) ? [{ raw, index, path: "", reason: "is invalid" }] : [],
    ),
  }
}

type Options = Omit<Watch.StepOptions, "now">

/** A watch whose polls get one page each. `at`: milliseconds after `now`. */
const begin = (options: Options = {}) => {
  let state = Watch.empty(subscription, { now: DateTime.makeUnsafe(now) })
  const step = (at: number, entries: ReadonlyArray<unknown>, more: Options = {}) => {
    const step = Watch.step(state, [pageOf(...entries)], { ...options, ...more, now: DateTime.makeUnsafe(now + at) })
    state = Watch.handled(step.state, new Set(step.changes))
    return step.changes
  }
  return {
    changes: step,
    poll: (...args: Parameters<typeof step>) => step(...args).map((change) => brief(change)),
    state: () => state,
    restart: () => (state = Result.getOrThrow(Watch.decode(Result.getOrThrow(Watch.encode(state)), subscription))),
  }
}

const resolved = { status: "Resolved" }
const a = event("a", now - hour)
const b = event("b", now - 2 * hour)

describe("a change", () => {
  it.each([
    ["Appeared a", [], [a]],
    ["Updated a", [a], [event("a", now, { title: "Slow" })]],
    ["Resolved a", [a], [event("a", now, resolved)]],
    ["Reopened a", [event("a", now, resolved)], [event("a", now + hour)]],
    ["Disappeared a", [a], []],
    ["Appeared x", [], [{ name: "x" }]],
    ["Updated A", [{ id: "a" }], [{ id: "A", name: "other case" }]],
  ] as ReadonlyArray<readonly [string, ReadonlyArray<unknown>, ReadonlyArray<unknown>]>)(
    "is %s between %j and %j",
    (change, before, after) => {
      const { poll } = begin()
      poll(0, before)
      expect(poll(1, after)).toEqual([change])
      expect(poll(2, after)).toEqual([])
    },
  )

  it("is pending in the next state until it is handled", () => {
    const times = { now: DateTime.makeUnsafe(now) }
    const first = Watch.step(Watch.empty(subscription, times), [pageOf(a, b)], times)
    expect(first.state.pending).toEqual(first.changes)
    const [one] = first.changes
    const handled = Watch.handled(first.state, new Set(one === undefined ? [] : [one]))
    expect(handled.pending.map((change) => brief(change))).toEqual(["Appeared b"])
    const second = Watch.step(handled, [pageOf(a)], times)
    expect(second.state.pending.map((change) => brief(change))).toEqual(["Appeared b", "Disappeared b"])
  })

  it("has the latest of several versions of an event", () => {
    const { changes } = begin()
    const title = { title: "Later" }
    expect(changes(0, [a, event("a", now, title), a])).toMatchObject([
      { _tag: "Appeared", event: { properties: title } },
    ])
  })

  it("of the first poll is left out with the baseline `skip`", () => {
    const { poll, state } = begin({ baseline: "skip" })
    expect(poll(0, [a])).toEqual([])
    expect(state().events.size).toBe(1)
    expect(poll(1, [a, b])).toEqual(["Appeared b"])
  })
})

describe("an event that is missing", () => {
  it.each([
    ["was updated before the list begins", event("a", now - 3 * day), []],
    ["has no update time", { id: "a" }, []],
    ["is hidden by an invalid entry with its ID", a, [{ id: "A", properties: 1 }]],
    ["is hidden by an invalid entry with its name", a, [{ id: 5, name: "name of a" }]],
    ["is hidden by an invalid entry without ID and name", a, [null]],
  ])("does not disappear if it %s", (_, known, entries) => {
    const { poll } = begin()
    for (const at of [0, day]) poll(at, [known])
    expect(poll(day + 1, entries)).toEqual([])
    expect(poll(day + 1, [known])).toEqual([])
  })

  it("disappears after the invalid entry that may have hidden it is gone, during the retention", () => {
    const { poll } = begin()
    poll(0, [a])
    for (const days of [0, 4, 8]) expect(poll(days * day, ["odd"])).toEqual([])
    expect(poll(12 * day, [])).toEqual(["Disappeared a"])
    const late = begin()
    late.poll(0, [a])
    for (const days of [0, 40, 80]) expect(late.poll(days * day, ["odd"])).toEqual([])
    expect(late.poll(80 * day, [])).toEqual([])
  })

  it.each([
    ["unresolved, 90 days after a list first lacks it", a, 99],
    ["resolved, 30 days after lists begin later than its update", event("a", now - hour, resolved), 40],
    ["resolved and without an update time, at once", { id: "a", properties: resolved }, 5],
  ])("is forgotten if %s, and appears if it returns", (_, known, days) => {
    const { poll, state } = begin()
    for (const at of [0, 4 * day]) poll(at, [known])
    for (let passed = 8; passed <= days; passed += 4) expect(poll(passed * day, [])).toEqual([])
    poll(days * day, [])
    expect(state().events.size).toBe(0)
    expect(poll(days * day, [event("a", now + days * day)])).toEqual(["Appeared a"])
  })

  it("is kept for its final review, 14 days after it was resolved", () => {
    const { poll } = begin()
    for (const at of [0, 4 * day]) poll(at, [event("a", now, resolved)])
    for (const days of [8, 12]) expect(poll(days * day, [])).toEqual([])
    expect(poll(14 * day, [event("a", now + 14 * day, { ...resolved, eventTags: ["Final PIR"] })])).toEqual([
      "Updated a",
    ])
  })

  it("is kept at least as long as lists reach back", () => {
    const { poll, state } = begin({ lookback: "3 days", retention: 0 })
    poll(0, [event("a", now - 4 * day, resolved)], { lookback: "5 days" })
    poll(1, [])
    expect(state().events.size).toBe(1)
  })

  it("is kept if it is listed again, or while an invalid entry has its name", () => {
    const { poll, state } = begin({ unresolvedRetention: "5 days" })
    const undated = { id: "a", name: "A" }
    poll(0, [undated])
    poll(4 * day, [])
    poll(8 * day, [undated])
    poll(12 * day, [])
    poll(16 * day, [{ name: "A", properties: 1 }])
    poll(20 * day, [])
    expect(state().events.size).toBe(1)
    poll(25 * day, [])
    expect(state().events.size).toBe(0)
  })
})

describe("a list", () => {
  it("begins before the last complete one, and older events are ignored", () => {
    const { poll, state } = begin()
    const beginning = (at: number) =>
      DateTime.toEpochMillis(Watch.since(state(), { now: DateTime.makeUnsafe(now + at) })) - now
    expect(beginning(0)).toBe(-3 * day)
    expect(poll(0, [event("old", now - 3 * day), event("older", now - 3 * day - 1), { id: "undated" }])).toEqual([
      "Appeared old",
      "Appeared undated",
    ])
    expect(beginning(30 * day)).toBe(-3 * day)
    poll(day, [])
    expect(beginning(30 * day)).toBe(-2 * day)
    // The clock was set back.
    expect(beginning(-day)).toBe(-4 * day)
  })

  it("without a change keeps the same state for an hour", () => {
    const { poll, state } = begin()
    poll(0, [a])
    const before = state()
    poll(hour - 1, [a])
    expect(state()).toBe(before)
    poll(hour, [a])
    expect(state()).not.toBe(before)
  })

  it.effect.each([
    ["several pages lack a known event", [pageOf(a), pageOf(event("c", now))], [pageOf(a, b)], []],
    ["an event without an update time is missing", [pageOf(a), pageOf(b)], [pageOf()], []],
    ["a single page lacks a known event", [pageOf(a)], undefined, ["Disappeared b"]],
    ["nothing is missing", [pageOf(a), pageOf(b, { id: "u", properties: resolved })], undefined, []],
    ["an invalid entry may be the missing event", [pageOf(a), pageOf(null)], undefined, []],
  ] as const)("is read again only if pages may have shifted: %s", ([, pages, again, expected]) =>
    Effect.gen(function* () {
      const times = { now: DateTime.makeUnsafe(now) }
      const known = [a, b, { id: "u", properties: resolved }]
      const { state } = Watch.step(Watch.empty(subscription, times), [pageOf(...known)], times)
      let reads = 0
      const list = Effect.sync(() => {
        reads += 1
        return again ?? []
      })
      const { changes } = yield* Watch.advance(state, pages, list, times)
      expect(reads).toBe(again === undefined ? 0 : 1)
      expect(changes.map((change) => brief(change)).filter((text) => !text.includes("Appeared"))).toEqual(expected)
    }),
  )
})

describe("the encoded state", () => {
  const odd = {
    ...event("odd", now, {
      lastUpdateTime: "2026-03-10T11:59:59.1203530",
      impactMitigationTime: "0001-01-01T00:00:00",
    }),
    name: "\ud800 \u0000 \u2028",
    extra: { deep: [null, { "": 1.5 }], ["__proto__"]: "kept" },
    location: null,
  }

  it("restores unknown fields, unusual dates and pending changes", () => {
    const { changes, restart } = begin()
    changes(0, [JSON.parse(JSON.stringify(odd))])
    restart()
    expect(changes(1, [])).toEqual([{ _tag: "Disappeared", event: JSON.parse(JSON.stringify(odd)) }])
    const times = { now: DateTime.makeUnsafe(now) }
    const first = Watch.step(Watch.empty(subscription, times), [pageOf(a, b)], times)
    const { state } = Watch.step(first.state, [pageOf(event("a", now, { title: "Slow" }))], times)
    const text = Result.getOrThrow(Watch.encode(state))
    expect(Result.getOrThrow(Watch.decode(text, subscription))).toEqual(state)
  })

  it.each(["-0", "-0.0", "1e400", "-1e400", "-1e-400"])("causes no update for the number %s", (number) => {
    const { poll, restart } = begin()
    const entry = { ...a, extra: [{ number: Number(number) }] }
    poll(0, [entry])
    expect(poll(1, [entry])).toEqual([])
    restart()
    expect(poll(2, [entry])).toEqual([])
    expect(poll(3, [{ ...entry, name: "other" }])).toEqual(["Updated a"])
  })

  const problem = (text: string, id = subscription, query: Parameters<typeof Watch.decode>[2] = {}) =>
    Result.match(Watch.decode(text, id, query), {
      onFailure: ({ reason }: WatchStore.WatchStoreError) => reason,
      onSuccess: () => "none",
    })

  it("belongs to one subscription, version and filter", () => {
    const text = Result.getOrThrow(
      Watch.encode(Watch.empty(subscription, { filter: "Service eq 'A'", now: DateTime.makeUnsafe(now) })),
    )
    expect(problem(text, subscription, { filter: "Service eq 'A'" })).toBe("none")
    expect(problem(text)).toBe("other")
    expect(problem(text, SubscriptionId.make("s2"), { filter: "Service eq 'A'" })).toBe("other")
    expect(problem(text, subscription, { filter: Filter.eq("service", "B") })).toBe("other")
    expect(problem(text, subscription, { filter: "Service eq 'A'", apiVersion: ApiVersion.other("2026-01-01") })).toBe(
      "other",
    )
  })

  const stored = (more: string) =>
    `{"watch":2,"list":{"subscription":"s1","apiVersion":"2025-05-01","filter":""},"isNew":false,"listedAt":1,${more}}`
  it.each([
    "",
    "null",
    "{",
    `{"watch":1}`,
    stored(`"events":[{"event":{}}],"pending":[]`),
    stored(`"events":[{"key":"a","event":{"properties":3}}],"pending":[]`),
    stored(`"events":[],"pending":[{"_tag":"Moved","event":{}}]`),
    stored(`"events":[],"pending":[{"_tag":"Updated","event":{},"changes":3}]`),
  ])("is unreadable: %s", (text) => {
    expect(problem(text)).toBe("unreadable")
  })
})
