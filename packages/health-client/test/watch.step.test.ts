/** The rules of a poll: which changes a list means, and what a watch keeps. */
import { describe, expect, it } from "@effect/vitest"
import { ApiVersion, Feed, Filter, HealthEvent, SubscriptionId, Watch } from "@vigil/health-client"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { a, b, brief, day, event, hour, now, subscription } from "./watched.js"

const decodeEvent = HealthEvent.decode(ApiVersion.defaultVersion)

const pageOf = (...entries: ReadonlyArray<unknown>): Watch.Page => {
  const results = entries.map((raw) => ({ raw, result: decodeEvent(raw) }))
  return {
    items: results.flatMap(({ result }) => (Result.isSuccess(result) ? [result.success] : [])),
    invalid: results.flatMap(({ raw, result }, index) =>
      Result.isFailure(result) ? [{ raw, index, page: 1, path: "", problem: "is invalid" }] : [],
    ),
  }
}

const resolved = { status: "Resolved" }
const slow = event("a", now, { title: "Slow" })

type Times = Omit<Watch.Times, "now">

/** A feed whose list has these pages. */
const feedOf = (pages: ReadonlyArray<Watch.Page>, times: Times = {}) =>
  Watch.feed(subscription, { read: () => Effect.succeed(pages), times: () => times })

const start = DateTime.makeUnsafe(now)
const feed = feedOf([])
const empty = feed.empty(start)
const encode = (state: Watch.State) => feed.encode({ state, pending: [] })
const decode = (text: string) => Effect.runSync(Feed.load(feed, text, start))

/** A watch whose polls get one page each. `at`: milliseconds after `now`. */
const begin = (options: Times = {}) => {
  let state = empty
  const changes = (at: number, entries: ReadonlyArray<unknown>, more: Times = {}) => {
    const { poll } = feedOf([pageOf(...entries)], { ...options, ...more })
    const polled = Effect.runSync(poll(state, DateTime.makeUnsafe(now + at)))
    state = polled.state
    return polled.changes
  }
  return {
    changes,
    poll: (...args: Parameters<typeof changes>) => changes(...args).map((change) => brief(change)),
    state: () => state,
    /** The events of the state. */
    known: (): ReadonlyArray<{ readonly event: unknown }> => JSON.parse(encode(state)).events,
    restart: () => ({ state } = decode(encode(state))),
  }
}

describe("a change", () => {
  it.each<readonly [change: string, before: ReadonlyArray<unknown>, after: ReadonlyArray<unknown>]>([
    ["Appeared a", [], [a]],
    ["Updated a", [a], [slow]],
    ["Resolved a", [a], [event("a", now, resolved)]],
    ["Resolved a", [a], [event("a", now, { eventTags: ["False Positive"] })]],
    ["Reopened a", [event("a", now, resolved)], [event("a", now + hour)]],
    ["Disappeared a", [a], []],
    ["Appeared x", [], [{ name: "x" }]],
    ["Updated A", [{ id: "a" }], [{ id: "A", name: "other case" }]],
  ])("is %s between %j and %j", (change, before, after) => {
    const { poll } = begin()
    poll(0, before)
    expect(poll(1, after)).toEqual([change])
    expect(poll(2, after)).toEqual([])
  })

  it("is not another spelling of the same values, which the state then has", () => {
    const { known, poll } = begin()
    const spelled = { ...event("a", now, { status: "ACTIVE", impact: [] }), id: "A" }
    poll(0, [event("a", now, { status: "Active" })])
    expect(poll(1, [spelled])).toEqual([])
    expect(poll(hour, [spelled])).toEqual([])
    expect(known()).toEqual([{ key: "a", event: spelled }])
  })

  it("that is pending in a stored state comes first, and repeats until the next text is stored", () => {
    const step = (stored: Feed.Stored<Watch.State, Watch.Change>) =>
      Effect.runSync(Feed.step(feedOf([pageOf(a)]), stored, start))
    const { poll, state } = begin()
    poll(0, [a, b])
    const stored = JSON.parse(encode(state()))
    const pending = JSON.stringify({ ...stored, pending: [{ _tag: "Appeared", key: "b" }] })
    for (const _ of [1, 2]) {
      const { changes, text = "" } = step(decode(pending))
      expect(changes.map((change) => brief(change))).toEqual(["Appeared b", "Disappeared b"])
      expect(step(decode(text))).toEqual({ changes: [], text: undefined, invalid: [] })
    }
  })

  it("has the latest of several versions of an event", () => {
    expect(begin().changes(0, [a, slow, a])).toMatchObject([{ event: { properties: { title: "Slow" } } }])
  })

  it("comes after those with an older update, and one that disappeared comes last", () => {
    const { poll } = begin()
    const undated = { id: "undated" }
    expect(poll(0, [b, a, undated])).toEqual(["Appeared undated", "Appeared a", "Appeared b"])
    const changed = { ...a, properties: { ...a.properties, title: "A" } }
    expect(poll(1, [event("new", now), changed, undated])).toEqual(["Updated a", "Appeared new", "Disappeared b"])
  })

  it("of the first poll is left out with the baseline `skip`", () => {
    const { poll } = begin({ baseline: "skip" })
    expect(poll(0, [a])).toEqual([])
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

  it.each([
    [[0, 4, 8], 12, ["Disappeared a"]],
    [[0, 40, 80], 80, []],
  ])("after an invalid entry that may hide it on days %j disappears during the retention", (hidden, last, expected) => {
    const { poll } = begin()
    poll(0, [a])
    for (const days of hidden) expect(poll(days * day, ["odd"])).toEqual([])
    expect(poll(last * day, [])).toEqual(expected)
  })

  it.each([
    ["unresolved", 92, 99, a],
    ["resolved", 32, 40, event("a", now - hour, resolved)],
    ["resolved and without an update time", 4, 5, { id: "a", properties: resolved }],
  ])("and %s is kept until day %i, forgotten by day %i, and appears if it returns", (_, kept, forgotten, known) => {
    const { known: events, poll } = begin()
    for (const at of [0, 4 * day]) poll(at, [known])
    for (let days = 8; days < forgotten; days += 4) {
      expect(poll(days * day, [])).toEqual([])
      if (days <= kept) expect(events()).toHaveLength(1)
    }
    expect(poll(forgotten * day, [])).toEqual([])
    expect(events()).toEqual([])
    expect(poll(forgotten * day, [event("a", now + forgotten * day)])).toEqual(["Appeared a"])
  })

  it("is kept at least as long as lists reach back", () => {
    const { known, poll } = begin({ lookback: "60 days" })
    poll(0, [event("a", now - 95 * day, resolved)], { lookback: "100 days" })
    poll(1, [])
    expect(known()).toHaveLength(1)
  })

  it("is kept if it is listed again, or while an invalid entry has its name", () => {
    const { known, poll } = begin()
    const undated = { id: "a", name: "A" }
    const lists = [[undated], [], [undated], [], [{ name: "A", properties: 1 }], []]
    for (const [index, entries] of lists.entries()) poll(80 * index * day, entries)
    expect(known()).toHaveLength(1)
    poll(500 * day, [])
    expect(known()).toEqual([])
  })
})

describe("a list", () => {
  it("begins before the last complete one, the first with older active events, and older ones are ignored", () => {
    const { poll, state } = begin()
    const beginning = (at: number) => {
      const starts: Array<number> = []
      const read = (since: DateTime.Utc) =>
        Effect.sync(() => {
          starts.push(DateTime.toEpochMillis(since) - now)
          return []
        })
      Effect.runSync(Watch.feed(subscription, { read }).poll(state(), DateTime.makeUnsafe(now + at)))
      return starts[0]
    }
    expect(beginning(0)).toBe(-90 * day)
    const over = (id: string, at: number) => event(id, at, resolved)
    const entries = [
      over("old", now - 3 * day),
      over("older", now - 3 * day - 1),
      { id: "undated", properties: resolved },
    ]
    const active = [event("active", now - 90 * day), event("gone", now - 90 * day - 1)]
    expect(poll(0, [...entries, ...active])).toEqual(["Appeared undated", "Appeared active", "Appeared old"])
    // Later lists do not reach it.
    expect(poll(0, entries)).toEqual([])
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
      const known = pageOf(a, b, { id: "u", properties: resolved })
      const { state } = yield* feedOf([known]).poll(empty, start)
      let reads = 0
      const read = () => Effect.sync(() => (reads++ === 0 ? pages : (again ?? [])))
      const { changes } = yield* Watch.feed(subscription, { read }).poll(state, start)
      expect(reads).toBe(again === undefined ? 1 : 2)
      expect(changes.map((change) => brief(change)).filter((text) => !text.includes("Appeared"))).toEqual(expected)
    }),
  )
})

describe("the encoded state", () => {
  it("restores unknown fields and unusual dates", () => {
    const dates = { lastUpdateTime: "2026-03-10T11:59:59.1203530", impactMitigationTime: "0001-01-01T00:00:00" }
    const extra = { deep: [null, { "": 1.5 }], ["__proto__"]: "kept" }
    const odd: unknown = JSON.parse(
      JSON.stringify({ ...event("odd", now, dates), name: "\ud800 \u0000 \u2028", extra, location: null }),
    )
    const { poll, state } = begin()
    poll(0, [a, odd])
    expect(decode(encode(state())).state).toEqual(state())
  })

  it("of release 0.1 is still valid: what may not have been delivered is pending", () => {
    const list = { subscription: "s1", apiVersion: "2025-05-01", filter: "" }
    const gone = event("gone", now, resolved)
    const entries = [
      { key: "a", delivered: a },
      { key: "b", delivered: b, pending: event("b", now, resolved) },
      { key: "new", pending: slow },
      { key: "gone", delivered: gone, pending: null },
      { key: "old", delivered: { id: "old" }, unlistedSince: 1 },
    ]
    const stored = decode(JSON.stringify({ watch: 1, ...list, listedAt: now, entries }))
    const { changes } = Effect.runSync(Feed.step(feedOf([pageOf(a)]), stored, start))
    expect(changes.map((change) => brief(change))).toEqual([
      "Resolved b",
      "Appeared a",
      "Disappeared gone",
      "Disappeared b",
      "Disappeared a",
    ])
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

  it.each<
    readonly [
      result: string,
      id: string,
      query: Pick<Watch.FeedOptions<ApiVersion.ApiVersion, never, never>, "filter" | "apiVersion">,
    ]
  >([
    ["Success", "s1", { filter: Filter.raw("service eq 'A'") }],
    ["other", "s1", {}],
    ["other", "s2", { filter: Filter.eq("service", "A") }],
    ["other", "s1", { filter: Filter.eq("service", "B") }],
    ["Success", "s1", { filter: Filter.eq("service", "A"), apiVersion: ApiVersion.other("9999-01-01") }],
  ])("belongs to one subscription and filter: %s for %s and %j", (expected, id, query) => {
    const read = () => Effect.succeed([])
    const own = Watch.feed(subscription, { read, filter: Filter.eq("service", "A") })
    const text = own.encode({ state: own.empty(start), pending: [] })
    const decoded = Watch.feed(SubscriptionId.make(id), { read, ...query }).decode(text)
    expect(Result.isFailure(decoded) ? decoded.failure : decoded._tag).toBe(expected)
  })

  const stored = (more: string) =>
    `{"watch":2,"list":{"subscription":"s1","apiVersion":"${ApiVersion.defaultVersion}","filter":""},"isNew":false,"listedAt":1,${more}}`
  it.each([
    "",
    "null",
    `{"watch":1}`,
    stored(`"events":[{"event":{}}],"pending":[]`),
    stored(`"events":[{"key":"a","event":{"properties":3}}],"pending":[]`),
    stored(`"events":[],"pending":[{"_tag":"Moved","event":{}}]`),
    stored(`"events":[],"pending":[{"_tag":"Updated","event":{},"changes":3}]`),
  ])("is unreadable: %s", (text) => {
    expect(feed.decode(text)).toMatchObject({ failure: "unreadable" })
  })
})
