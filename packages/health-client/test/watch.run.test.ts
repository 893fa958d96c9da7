/** The loop of a watch: polls, handlers and what is stored when. */
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { type HealthClient, SubscriptionId, Watch, WatchStore } from "@vigil/health-client"
import type { InvalidEvent, PagingError, RequestError } from "@vigil/health-client"
import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/testing/TestClock"
import { begin, brief, day, event, hour, now, subscription } from "./watched.js"

const a = event("a", now - hour)
const b = event("b", now - 2 * hour)
const c = event("c", now - 3 * hour)
const odd = { id: "odd", properties: 1 }

const once = { schedule: Schedule.recurs(0) }

/** How many changes are pending in a stored state. */
const pendingOf = (text: string | undefined) => (JSON.parse(text ?? "") as Watch.State).pending.length

describe("a poll", () => {
  it.effect("lists the last 3 days every 5 minutes by default", () =>
    Effect.gen(function* () {
      const { handler, list, provide, seen } = yield* begin(a, event("older", now - 3 * day - 1))
      const fiber = yield* Effect.forkChild(provide(Watch.run(subscription, handler)))
      for (const wait of [0, 299_999, 1, 299_999, 1]) yield* TestClock.adjust(wait)
      yield* Fiber.interrupt(fiber)
      expect(seen).toEqual(["Appeared a"])
      expect(list.requests.map(({ searchParams }) => searchParams.get("queryStartTime"))).toEqual(
        Array.from({ length: 3 }, () => "3/7/2026"),
      )
    }),
  )

  it.effect("sends the options of the caller, and reads all pages", () =>
    Effect.gen(function* () {
      const { list, provide, seen } = yield* begin(a, b, c)
      list.pageSize = 2
      const options = { ...once, apiVersion: "2025-04-01", filter: "service eq 'A'", lookback: "10 days" } as const
      yield* provide(Watch.run(subscription, (change) => Effect.sync(() => void seen.push(brief(change))), options))
      expect(seen).toEqual(["Appeared a", "Appeared b", "Appeared c"])
      expect(list.requests.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
        { "api-version": "2025-04-01", $filter: "service eq 'A'", queryStartTime: "2/28/2026" },
        { "api-version": "2025-04-01", $filter: "service eq 'A'", queryStartTime: "2/28/2026", $skipToken: "2" },
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
      list.entries = [a, b]
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
      const nested = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`) as unknown
      const times = { now: DateTime.makeUnsafe(now) }
      for (const entry of [{ ...event("deep", now), extra: nested }, { extra: nested }]) {
        const page = { items: [entry], invalid: [] } as unknown as Watch.Page
        const encoded = Watch.advance(Watch.empty(subscription, times), [page], Effect.succeed([]), times).pipe(
          Effect.flatMap(({ state }) => Effect.fromResult(Watch.encode(state))),
        )
        expect(yield* Effect.flip(encoded)).toMatchObject({ _tag: "WatchStoreError", reason: "tooDeep" })
      }
    }),
  )
})

describe("a handler", () => {
  it.effect("runs after its change is stored as pending, which is removed after it succeeded", () =>
    Effect.gen(function* () {
      const { poll, provide, texts } = yield* begin(a, b, c)
      const pending: Array<number> = []
      const handler = () =>
        Effect.andThen(
          Effect.sync(() => pending.push(pendingOf(texts.at(-1)))),
          TestClock.adjust("2 seconds"),
        )
      yield* provide(Watch.run(subscription, handler, once))
      expect(pending).toEqual([3, 2, 1])
      expect(pendingOf(texts.at(-1))).toBe(0)
      const { length } = texts
      expect(yield* poll).toEqual([])
      expect(texts).toHaveLength(length)
    }),
  )

  it.effect(
    "that fails is called again by `retry`, then fails the watch, and the next run begins with its change",
    () =>
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

  it.effect("that is interrupted or killed is called again", () =>
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
      const times = { now: DateTime.makeUnsafe(now) }
      const steps = [[a, b], [event("a", now, { title: "Slow" })]] as const
      const state = steps.reduce(
        (state, items) => Watch.step(state, [{ items, invalid: [] } as unknown as Watch.Page], times).state,
        Watch.empty(subscription, times),
      )
      yield* store.save(Result.getOrThrow(Watch.encode(state)))
      const log: Array<string> = []
      const handler = (change: Watch.Change) =>
        Effect.gen(function* () {
          log.push(`start ${brief(change)}`)
          yield* Effect.yieldNow
          log.push(`end ${brief(change)}`)
        })
      yield* provide(Watch.run(subscription, handler, { ...once, concurrency: "unbounded" }))
      expect(log.slice(0, 2)).toEqual(["start Appeared a", "start Appeared b"])
      for (const id of ["a", "b"]) {
        const own = log.filter((text) => text.endsWith(id)).map((text) => text.split(" ")[0])
        expect(own.join(" ")).toMatch(/^(start end ?){2,}$/)
      }
    }),
  )
})

describe("a store that fails", () => {
  const failure = new WatchStore.WatchStoreError({ operation: "save", reason: "unavailable" })

  it.effect("fails the watch before any request", () =>
    Effect.gen(function* () {
      const { handler, list, provide, store } = yield* begin(a)
      const onFailure = () => Effect.void
      for (const broken of [
        { ...store, load: Effect.fail(failure) },
        { ...store, load: Effect.succeed("notes") },
        { ...store, save: () => Effect.fail(failure) },
      ]) {
        const run = Watch.run(subscription, handler, { ...once, onFailure }).pipe(
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
      let saves = 0
      const save = (text: string) =>
        Effect.suspend(() => {
          const save = saves++
          return bad.some((number) => number === save) ? Effect.fail(failure) : store.save(text)
        })
      let failed = 0
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

class Mine extends Data.TaggedError("Mine")<{}> {}

describe("the type of a watch", () => {
  const id = SubscriptionId.make("s1")
  type Services = HealthClient.HealthClient | WatchStore.WatchStore

  it("has four errors and those of the handler", () => {
    expectTypeOf(Watch.run(id, () => new Mine())).toEqualTypeOf<
      Effect.Effect<
        void,
        | RequestError.RequestError
        | PagingError.PageLoop
        | InvalidEvent.InvalidEvent
        | WatchStore.WatchStoreError
        | Mine,
        Services
      >
    >()
    const old = Watch.run(id, (change) => Effect.succeed(change satisfies Watch.Change<"2025-04-01">), {
      apiVersion: "2025-04-01",
    })
    expectTypeOf(old).toEqualTypeOf<Effect.Effect<void, Watch.WatchError, Services>>()
  })

  it("has only the errors of onFailure and of the store if onFailure is set", () => {
    const run = Watch.run(id, () => Effect.void, { onFailure: () => Effect.fail(new Mine()) })
    expectTypeOf(run).toEqualTypeOf<Effect.Effect<void, Mine | WatchStore.WatchStoreError, Services>>()
    const optional = (hook: { readonly onFailure?: () => Effect.Effect<void, Mine> }) =>
      Watch.run(id, () => Effect.void, { ...hook })
    expectTypeOf(optional).returns.toEqualTypeOf<Effect.Effect<void, Watch.WatchError | Mine, Services>>()
  })
})
