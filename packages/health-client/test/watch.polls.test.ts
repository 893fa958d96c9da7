/** When a watch polls, and how far back its lists reach. */
import { describe, expect, it } from "@effect/vitest"
import type { Watch } from "@vigil/health-client"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { collect } from "./collect.js"
import { begin, brief, day, event, hour, now, once, start, subscription, times, changesOf } from "./watched.js"

const a = event("a", now - hour)
const b = event("b", now - 2 * hour)
const c = event("c", now - 3 * hour)

describe("a poll", () => {
  it.effect("starts when the watch is run, and again after its changes are consumed", () =>
    Effect.gen(function* () {
      const { list, watch } = yield* start(a, b)
      const stream = watch(subscription, times(2))
      expect(list.requests).toHaveLength(0)
      const requests: Array<number> = []
      yield* Stream.runForEach(stream, () => Effect.sync(() => requests.push(list.requests.length)))
      expect(requests).toEqual([1, 1])
      expect(list.requests).toHaveLength(2)
      yield* Stream.runDrain(stream)
      expect(list.requests).toHaveLength(4)
    }),
  )

  it.effect("reads pages of `list` instead of the service", () =>
    Effect.gen(function* () {
      const { client, list, watch } = yield* start(a, b)
      const pages = yield* collect(client.pagesBySubscription(subscription))
      const starts: Array<number> = []
      const options: Watch.Options = {
        ...once,
        list: (since) => {
          starts.push(DateTime.toEpochMillis(since))
          return Stream.fromIterable(pages)
        },
      }
      expect(yield* changesOf(watch(subscription, options))).toEqual(["Appeared a", "Appeared b"])
      expect(starts).toEqual([now - 3 * day])
      expect(list.requests).toHaveLength(1)
    }),
  )

  it.effect("ignores events of `list` that were updated before the start, and keeps those without an update time", () =>
    Effect.gen(function* () {
      const old = event("old", now - 3 * day)
      const older = event("older", now - 3 * day - 1)
      const timeless = event("timeless", now, { lastUpdateTime: undefined })
      const { client, watch } = yield* start(a, old, older, timeless)
      const pages = yield* collect(client.pagesBySubscription(subscription))
      expect(pages.flatMap(({ items }) => items)).toHaveLength(4)
      const options = { ...once, list: () => Stream.fromIterable(pages) }
      expect(yield* changesOf(watch(subscription, options))).toEqual([
        "Appeared a",
        "Appeared old",
        "Appeared timeless",
      ])
    }),
  )

  it.effect("lists the last 3 days every 5 minutes by default", () =>
    Effect.gen(function* () {
      const { list, watch } = yield* start(a, event("older", now - 3 * day - 1), event("old", now - 3 * day))
      const seen: Array<string> = []
      const fiber = yield* Effect.forkChild(
        Stream.runForEach(watch(subscription), (change) => Effect.sync(() => seen.push(brief(change)))),
      )
      for (const wait of [0, 299_999, 1, 299_999, 1]) yield* TestClock.adjust(wait)
      yield* Fiber.interrupt(fiber)
      expect(seen).toEqual(["Appeared a", "Appeared old"])
      expect(list.requests.map(({ searchParams }) => searchParams.get("queryStartTime"))).toEqual(
        Array.from({ length: 3 }, () => "3/7/2026"),
      )
    }),
  )

  it.effect("sends the options of the caller, and reads all pages", () =>
    Effect.gen(function* () {
      const { list, watch } = yield* start(a, b, c)
      list.pageSize = 2
      const options = { ...once, apiVersion: "2025-04-01", filter: "service eq 'A'", lookback: "10 days" } as const
      expect(yield* changesOf(watch(subscription, options))).toEqual(["Appeared a", "Appeared b", "Appeared c"])
      expect(list.requests.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
        { "api-version": "2025-04-01", $filter: "service eq 'A'", queryStartTime: "2/28/2026" },
        { "api-version": "2025-04-01", $filter: "service eq 'A'", queryStartTime: "2/28/2026", $skipToken: "2" },
      ])
    }),
  )

  it.effect("reaches back from the last complete list, not from a failed one", () =>
    Effect.gen(function* () {
      const { list, watch } = yield* start(a)
      const schedule = Schedule.tap(Schedule.recurs(2), ({ output: round }) =>
        Effect.gen(function* () {
          yield* TestClock.adjust("5 days")
          list.before = () => (round === 0 ? 503 : undefined)
          list.entries = [a, event("meanwhile", now + day)]
        }),
      )
      const options = { schedule, onFailure: () => Effect.void }
      expect(yield* changesOf(watch(subscription, options))).toEqual(["Appeared a", "Appeared meanwhile"])
    }),
  )
})

describe("pages that shift during a poll", () => {
  it.effect("do not make an event of the second list disappear", () =>
    Effect.gen(function* () {
      const { list, poll } = yield* begin(a, b, c)
      list.pageSize = 1
      yield* poll
      const before = list.requests.length
      // `a` is removed after its page was read, so an event of the second page moves to the first page.
      list.before = (request) => {
        if (request === before + 1) list.entries = [b, c]
        return undefined
      }
      expect(yield* poll).toEqual([])
      expect(list.requests).toHaveLength(before + 4)
      expect(yield* poll).toEqual(["Disappeared a"])
    }),
  )

  it.effect("need no second list if nothing is missing, or for a single page", () =>
    Effect.gen(function* () {
      const { list, poll } = yield* begin(a, b, c)
      list.pageSize = 2
      yield* poll
      yield* poll
      expect(list.requests).toHaveLength(4)
      list.pageSize = 3
      list.entries = [a, b]
      expect(yield* poll).toEqual(["Disappeared c"])
      expect(list.requests).toHaveLength(5)
    }),
  )
})
