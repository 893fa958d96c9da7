/** The loop of a watch: polls, handlers and what is stored when. */
import { describe, expect, it } from "@effect/vitest"
import { Filter, Watch, WatchStore } from "@vigil/health-client"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/testing/TestClock"
import { a, b, begin, brief, day, event, hour, now, subscription } from "./watched.js"

const c = event("c", now - 3 * hour)
const odd = { id: "odd", properties: 1 }
const once = { schedule: Schedule.recurs(0) }
const times = { now: DateTime.makeUnsafe(now) }
const ignore = () => Effect.void

/** A page of valid events. */
const page = (...items: ReadonlyArray<object>) => ({ items, invalid: [] }) as unknown as Watch.Page

describe("a poll", () => {
  it.effect("lists the last 90 days, then the last 3 days every 5 minutes, by default", () =>
    Effect.gen(function* () {
      const { handler, list, provide, seen } = yield* begin(a, event("older", now - 90 * day - 1))
      const fiber = yield* Effect.forkChild(provide(Watch.run(subscription, handler)))
      for (const wait of [0, 299_999, 1, 299_999, 1]) yield* TestClock.adjust(wait)
      yield* Fiber.interrupt(fiber)
      expect(seen).toEqual(["Appeared a"])
      const starts = list.requests.map(({ searchParams }) => searchParams.get("queryStartTime"))
      expect(starts).toEqual(["12/10/2025", "3/7/2026", "3/7/2026"])
    }),
  )

  it.effect("sends the options of the caller, and reads all pages", () =>
    Effect.gen(function* () {
      const { list, provide } = yield* begin(a, b, c)
      list.pageSize = 2
      const options = { apiVersion: "2025-04-01", filter: Filter.eq("service", "A"), lookback: "10 days" } as const
      yield* provide(Watch.run(subscription, ignore, { ...once, ...options }))
      const first = { "api-version": "2025-04-01", $filter: "service eq 'A'", queryStartTime: "2/28/2026" }
      expect(list.requests.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
        first,
        { ...first, $skipToken: "2" },
      ])
    }),
  )

  it.effect.each([
    ["the list fails", [a, b], 500, { _tag: "RequestError" }],
    ["an entry is invalid", [a, odd], undefined, { _tag: "InvalidEvent", operation: "Watch.run", raw: odd }],
  ] as const)("fails the watch before any change if %s", ([, entries, status, error]) =>
    Effect.gen(function* () {
      const { list, poll, seen } = yield* begin(...entries)
      list.pageSize = 1
      list.before = (request) => (request === 1 ? status : undefined)
      expect(yield* Effect.flip(poll)).toMatchObject(error)
      expect(seen).toEqual([])
      yield* TestClock.adjust("30 days")
      list.entries = [event("a", now + 2 * day)]
      // The first poll counts, although it failed.
      expect(yield* poll).toEqual(["Appeared a"])
    }),
  )

  it.effect("and its failures are passed to onFailure, and the watch continues", () =>
    Effect.gen(function* () {
      const { handler, list, provide, seen } = yield* begin(a, odd)
      list.before = (request) => (request === 0 ? 503 : undefined)
      const failures: Array<string> = []
      const onFailure = ({ _tag }: Watch.WatchError) => Effect.sync(() => void failures.push(_tag))
      yield* provide(Watch.run(subscription, handler, { schedule: Schedule.recurs(1), onFailure }))
      expect(failures).toEqual(["RequestError", "InvalidEvent"])
      expect(seen).toEqual(["Appeared a"])
      const failing = Watch.run(subscription, handler, { ...once, onFailure: () => Effect.fail("enough" as const) })
      expect(yield* Effect.flip(provide(failing))).toBe("enough")
    }),
  )

  it.effect("fails if an event is nested too deep to be stored", () =>
    Effect.gen(function* () {
      const extra = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`) as unknown
      for (const entry of [{ ...event("deep", now), extra }, { extra }]) {
        const empty = Watch.empty(subscription, times)
        const encoded = Watch.advance(empty, [page(entry)], Effect.succeed([]), times).pipe(
          Effect.flatMap(({ state }) => Effect.fromResult(Watch.encode(state))),
        )
        expect(yield* Effect.flip(encoded)).toMatchObject({ _tag: "WatchStoreError", reason: "tooDeep" })
      }
    }),
  )
})

describe("a handler", () => {
  it.effect("that fails is called again by `retry`, then fails the watch, and begins the next run", () =>
    Effect.gen(function* () {
      const { list, poll, provide } = yield* begin(a, b, c)
      const calls: Array<string> = []
      const handler = (change: Watch.Change) =>
        Effect.suspend(() => {
          calls.push(brief(change))
          return change.event.id === "c" ? Effect.fail("busy" as const) : Effect.void
        })
      const run = provide(Watch.run(subscription, handler, { ...once, retry: Schedule.recurs(2) }))
      expect(yield* Effect.flip(run)).toBe("busy")
      expect(calls).toEqual(["Appeared a", "Appeared b", "Appeared c", "Appeared c", "Appeared c"])
      list.entries = [a]
      expect(yield* poll).toEqual(["Appeared c", "Disappeared b", "Disappeared c"])
    }),
  )

  it.effect("that is interrupted is called again", () =>
    Effect.gen(function* () {
      const { handler, poll, provide, seen } = yield* begin(a, b)
      const hanging = Watch.run(subscription, (change) => Effect.andThen(handler(change), Effect.never), once)
      const fiber = yield* Effect.forkChild(provide(hanging))
      yield* TestClock.adjust(0)
      yield* Fiber.interrupt(fiber)
      expect(seen).toEqual(["Appeared a"])
      expect(yield* poll).toEqual(["Appeared a", "Appeared b"])
    }),
  )

  it.effect("runs for several events at once, but in order for one event", () =>
    Effect.gen(function* () {
      const { provide, store } = yield* begin()
      const pages = [page(a, b), page(event("a", now, { title: "Slow" }))]
      const state = pages.reduce(
        (state, page) => Watch.step(state, [page], times).state,
        Watch.empty(subscription, times),
      )
      yield* store.save(Result.getOrThrow(Watch.encode(state)))
      const log: Array<string> = []
      const handler = ({ event: { id } }: Watch.Change) =>
        Effect.andThen(
          Effect.sync(() => log.push(`start ${id}`)),
          Effect.andThen(Effect.yieldNow, () => Effect.sync(() => log.push(`end ${id}`))),
        )
      yield* provide(Watch.run(subscription, handler, { ...once, concurrency: "unbounded" }))
      expect(log.slice(0, 2)).toEqual(["start a", "start b"])
      for (const id of ["a", "b"])
        expect(log.filter((text) => text.endsWith(id)).join()).toMatch(/^(start .,end .,?){2,}$/)
    }),
  )
})

describe("a store that fails", () => {
  const failure = new WatchStore.WatchStoreError({ operation: "save", reason: "unavailable" })

  it.effect("fails the watch before any request", () =>
    Effect.gen(function* () {
      const { handler, list, provide, store } = yield* begin(a)
      for (const broken of [
        { ...store, load: Effect.fail(failure) },
        { ...store, load: Effect.succeed("notes") },
        { ...store, save: () => Effect.fail(failure) },
      ]) {
        const run = Watch.run(subscription, handler, { ...once, onFailure: ignore }).pipe(
          Effect.provideService(WatchStore.WatchStore, broken),
        )
        expect(yield* Effect.flip(provide(run))).toMatchObject({ _tag: "WatchStoreError" })
      }
      expect(list.requests).toHaveLength(0)
    }),
  )

  it.effect.each([
    ["before a handler: it does not run, and onFailure does", [1], 1, []],
    ["after a handler: a later save repeats it", [2], 0, ["Appeared a", "Appeared b"]],
    ["after the last handler: onFailure runs", [2, 3], 1, ["Appeared a", "Appeared b"]],
  ] as const)("%s", ([, bad, failures, handled]) =>
    Effect.gen(function* () {
      const { handler, poll, provide, seen, store } = yield* begin(a, b)
      let [saves, failed] = [0, 0]
      const save = (text: string) =>
        Effect.suspend(() => {
          const save = saves++
          return bad.some((number) => number === save) ? Effect.fail(failure) : store.save(text)
        })
      const onFailure = () => Effect.sync(() => void failed++)
      yield* Watch.run(subscription, handler, { ...once, onFailure }).pipe(
        Effect.provideService(WatchStore.WatchStore, { ...store, save }),
        provide,
      )
      expect([failed, [...seen]]).toEqual([failures, handled])
      expect(yield* poll).toEqual(failures === 0 ? [] : ["Appeared a", "Appeared b"])
    }),
  )
})
