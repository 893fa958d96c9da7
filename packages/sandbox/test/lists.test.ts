/** Edge cases of lists: the last page, the start time, and fields that are missing. */
import { describe, expect, it } from "@effect/vitest"
import type { World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { names, news, now, start } from "./service.js"

/** A sandbox that has only these events, newest first. */
const withEvents = (events: (world: World.World) => ReadonlyArray<World.WorldEvent>, pageSize = 50) =>
  Effect.tap(start({ pageSize }), ({ change }) => change((world) => ({ ...world, events: events(world) })))

const several = (count: number) => (world: World.World) =>
  Array.from({ length: count }, (_, index) => news(world, `NEW-${index}`))

describe("the last page", () => {
  it.live("has no link if it is full", () =>
    Effect.gen(function* () {
      const { list, page } = yield* withEvents(several(4), 2)
      const { nextLink = "" } = yield* page(list())
      const last = yield* page(nextLink)
      expect(names(last.value)).toEqual(["NEW-2", "NEW-3"])
      expect(last).not.toHaveProperty("nextLink")
    }),
  )
})

describe("the link", () => {
  it.live("keeps parameters whose values contain $skipToken", () =>
    Effect.gen(function* () {
      const { list, page } = yield* withEvents(several(2), 1)
      const query = "&other=$skipToken=x&b=?c"
      expect((yield* page(list(query))).nextLink).toContain(`${list(query)}&$skipToken=`)
    }),
  )
})

describe("the start time", () => {
  const updatedAt = (lastUpdate: number) => (world: World.World) => [{ ...news(world), lastUpdate }]

  it.live.each([
    ["", now - 259_200_000],
    ["&queryStartTime=", now - 259_200_000],
    ["&queryStartTime=1/1/2026", Date.UTC(2026, 0, 1)],
  ] as const)("of the query %j is inclusive", ([query, earliest]) =>
    Effect.gen(function* () {
      const included = yield* withEvents(updatedAt(earliest))
      expect(names(yield* included.events(included.list(query)))).toEqual(["NEW1-NEW"])
      const excluded = yield* withEvents(updatedAt(earliest - 1))
      expect(yield* excluded.events(excluded.list(query))).toEqual([])
    }),
  )

  it.live("applies to the list of the tenant", () =>
    Effect.gen(function* () {
      const ofTenant = { subscriptions: [] }
      const { events, url } = yield* withEvents((world) => [
        news(world, "OTHER"),
        { ...news(world), ...ofTenant },
        { ...news(world, "OLD"), ...ofTenant, lastUpdate: 0 },
      ])
      expect(names(yield* events(url("", "?api-version=2025-05-01")))).toEqual(["NEW1-NEW"])
      const since = "?api-version=2025-05-01&queryStartTime=1970-01-01"
      expect(names(yield* events(url("", since)))).toEqual(["NEW1-NEW", "OLD"])
    }),
  )
})

describe("an event", () => {
  it.live("that is sensitive needs no impact", () =>
    Effect.gen(function* () {
      const hidden = { isEventSensitive: true, title: "Title", summary: "Summary" }
      const { events, list } = yield* withEvents((world) => [
        { ...news(world), event: { id: "A", name: "A", properties: hidden } },
        {
          ...news(world),
          event: { id: "B", name: "B", properties: { ...hidden, impact: [{ impactedService: "DNS" }] } },
        },
      ])
      expect((yield* events(list())).map(({ properties }) => properties)).toEqual([
        { isEventSensitive: true, title: "Title" },
        { isEventSensitive: true, title: "Title", impact: [{ impactedService: "DNS", impactedRegions: [] }] },
      ])
    }),
  )
})
