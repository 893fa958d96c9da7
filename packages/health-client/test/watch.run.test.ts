/** The loop of a watch: polls, handlers and what is stored when. */
import { describe, expect, it } from "@effect/vitest"
import { Feed, Filter, HealthClient, SubscriptionId, Watch } from "@vigil/health-client"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import * as TestClock from "effect/testing/TestClock"
import { a, b, begin, brief, makeStore, serve, day, event, now, subscription } from "./watched.js"

const c = event("c", now)
const odd = { id: "odd", properties: 1 }
const once = { schedule: Schedule.recurs(0) }
const start = DateTime.makeUnsafe(now)
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
        const read = () => Effect.succeed([page(entry)])
        const feed = Watch.feed(subscription, { read })
        const error = yield* Effect.flip(Feed.step(feed, yield* Feed.load(feed, undefined, start), start))
        expect(error).toMatchObject({ reason: "tooDeep", message: expect.stringContaining("nested too deep") })
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

  it.effect("runs for several events at once", () =>
    Effect.gen(function* () {
      const { provide } = yield* begin(a, b)
      const log: Array<string> = []
      const handler = ({ event: { id } }: Watch.Change) =>
        Effect.andThen(
          Effect.sync(() => log.push(`start ${id}`)),
          Effect.andThen(Effect.yieldNow, () => Effect.sync(() => log.push(`end ${id}`))),
        )
      yield* provide(Watch.run(subscription, handler, { ...once, concurrency: "unbounded" }))
      expect(log.slice(0, 2)).toEqual(["start a", "start b"])
    }),
  )

  it.effect("that is fast lets timers run before the last change", () =>
    Effect.gen(function* () {
      const { provide } = yield* begin(a, b, c)
      let [handled, handledBefore] = [0, Infinity]
      const handler = () =>
        Effect.sync(() => {
          if (handled === 0) setImmediate(() => (handledBefore = handled))
          handled += 1
        })
      yield* provide(Watch.run(subscription, handler, once))
      expect(handledBefore).toBeLessThan(handled)
    }),
  )

  it.effect("that succeeded more than a second before a kill is not called again", () =>
    Effect.gen(function* () {
      const { handler, list, provide, poll, seen, values } = yield* begin(a, b, c)
      const slow = (change: Watch.Change) =>
        Effect.andThen(handler(change), change.event.id === "c" ? Effect.never : Effect.sleep("400 millis"))
      const fiber = yield* Effect.forkChild(provide(Watch.run(subscription, slow, once)))
      yield* TestClock.adjust("1 second")
      const killed = new Map(values)
      yield* TestClock.adjust("1 hour")
      yield* Fiber.interrupt(fiber)
      expect(seen).toEqual(["Appeared a", "Appeared b", "Appeared c"])
      for (const [key, text] of killed) values.set(key, text)
      list.entries = [a, b]
      expect(yield* poll).toEqual(["Appeared c", "Disappeared c"])
      expect([...values.keys()]).toHaveLength(1)
    }),
  )

  it.effect.each([0, 400])("that took %i ms is not called again after a kill while the next state is stored", (wait) =>
    Effect.gen(function* () {
      const { handler, poll, provide, store, values } = yield* begin(a, b)
      let saves = 0
      let killed = new Map<string, string>()
      const set = (key: string, text: string | Uint8Array) =>
        Effect.suspend(() => {
          if (!key.endsWith("/handled") && saves++ === 2) killed = new Map(values)
          return store.set(key, text)
        })
      const slow = (change: Watch.Change) =>
        Effect.andThen(handler(change), wait > 0 ? Effect.sleep(wait) : Effect.void)
      const run = Watch.run(subscription, slow, once).pipe(
        Effect.provideService(KeyValueStore.KeyValueStore, { ...store, set }),
      )
      const fiber = yield* Effect.forkChild(provide(run))
      yield* TestClock.adjust(2 * wait)
      yield* Fiber.join(fiber)
      for (const [key, text] of killed) values.set(key, text)
      expect(yield* poll).toEqual([])
    }),
  )
})

describe("a store that never stores which changes were handled", () => {
  it.effect("does not keep a watch from ending", () =>
    Effect.gen(function* () {
      const { handler, poll, provide, store } = yield* begin(a, b)
      const set = (key: string, text: string | Uint8Array) =>
        key.endsWith("/handled") ? Effect.never : store.set(key, text)
      const hanging = (change: Watch.Change) =>
        Effect.andThen(handler(change), change.event.id === "b" ? Effect.never : Effect.void)
      const run = Watch.run(subscription, hanging, once).pipe(
        Effect.provideService(KeyValueStore.KeyValueStore, { ...store, set }),
      )
      const fiber = yield* Effect.forkDetach(provide(run))
      yield* TestClock.adjust("1 second")
      yield* Effect.forkDetach(Fiber.interrupt(fiber))
      yield* TestClock.adjust("10 seconds")
      expect(fiber.pollUnsafe()).toBeDefined()
      expect(yield* poll).toEqual(["Appeared b"])
    }),
  )
})

describe("one store", () => {
  it.effect("holds the watches of several services, subscriptions and filters", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { store, values } = makeStore()
      const services = [yield* serve(a), yield* serve(b)]
      const seen: Array<string> = []
      const handler = (change: Watch.Change) =>
        Effect.andThen(
          Effect.yieldNow,
          Effect.sync(() => void seen.push(brief(change))),
        )
      const watches = services.flatMap(({ client }, index) =>
        [
          Watch.run(subscription, handler, once),
          Watch.run(SubscriptionId.make("s2"), handler, once),
          Watch.run(subscription, handler, { ...once, filter: Filter.eq("service", "A") }),
        ].map((watch) => Effect.provideService(watch, HealthClient.HealthClient, { ...client, key: String(index) })),
      )
      const all = Effect.all(watches, { concurrency: "unbounded", discard: true }).pipe(
        Effect.provideService(KeyValueStore.KeyValueStore, store),
      )
      yield* all
      expect(seen.toSorted()).toEqual([...Array(3).fill("Appeared a"), ...Array(3).fill("Appeared b")])
      expect(values.size).toBe(6)
      yield* all
      expect(seen).toHaveLength(6)
    }),
  )
})

describe("a store that fails", () => {
  const failure = new KeyValueStore.KeyValueStoreError({ method: "set", message: "is full" })

  it.effect("fails the watch before any request", () =>
    Effect.gen(function* () {
      const { handler, list, provide, store } = yield* begin(a)
      for (const broken of [
        { ...store, get: () => Effect.fail(failure) },
        { ...store, get: () => Effect.succeed("notes") },
        { ...store, set: () => Effect.fail(failure) },
      ]) {
        const run = Watch.run(subscription, handler, { ...once, onFailure: ignore }).pipe(
          Effect.provideService(KeyValueStore.KeyValueStore, broken),
        )
        expect(yield* Effect.flip(provide(run))).toMatchObject({ _tag: "WatchStoreError" })
      }
      expect(list.requests).toHaveLength(0)
    }),
  )

  it.effect.each([
    ["before a handler: it does not run, and onFailure does", 1, 0, [], ["Appeared a", "Appeared b"]],
    ["after the last handler: onFailure runs", 2, 0, ["Appeared a", "Appeared b"], ["Appeared a", "Appeared b"]],
    ["after the last handler, and the next poll repeats it", 2, 1, ["Appeared a", "Appeared b"], []],
  ] as const)("%s", ([, bad, polls, handled, repeated]) =>
    Effect.gen(function* () {
      const { handler, poll, provide, seen, store } = yield* begin(a, b)
      let [saves, failed] = [0, 0]
      const set = (key: string, text: string | Uint8Array) =>
        Effect.suspend(() => {
          const save = key.endsWith("/handled") ? saves : saves++
          return save === bad ? Effect.fail(failure) : store.set(key, text)
        })
      const onFailure = () => Effect.sync(() => void failed++)
      yield* Watch.run(subscription, handler, { schedule: Schedule.recurs(polls), onFailure }).pipe(
        Effect.provideService(KeyValueStore.KeyValueStore, { ...store, set }),
        provide,
      )
      expect([failed, [...seen]]).toEqual([1, handled])
      expect(yield* poll).toEqual(repeated)
    }),
  )
})
