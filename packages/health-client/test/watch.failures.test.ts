/** How a watch fails, of its store or of a reading, and how it goes on. */
import * as PlatformError from "@effect/platform/Error"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import { describe, expect, it } from "@effect/vitest"
import { SubscriptionId, Watch } from "@vigil/health-client"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import {
  begin,
  collect,
  event,
  failing,
  hour,
  key,
  memory,
  now,
  once,
  start,
  subscription,
  times,
  told,
} from "./watched.js"

const a = event("a", now - hour)
const b = event("b", now - 2 * hour)
const c = event("c", now - 3 * hour)

const down = new PlatformError.SystemError({ reason: "Busy", module: "KeyValueStore", method: "any" })

describe("a store", () => {
  const keeping = (get: Effect.Effect<Option.Option<string>, PlatformError.PlatformError>) =>
    KeyValueStore.makeStringOnly({
      get: () => get,
      set: () => Effect.fail(down),
      remove: () => Effect.void,
      clear: Effect.void,
      size: Effect.succeed(0),
    })

  it.effect("that can't be read fails the watch before anything is asked for", () =>
    Effect.gen(function* () {
      const { client, list } = yield* start(a)
      const options = { ...once, store: keeping(Effect.fail(down)) }
      const { before, error } = yield* failing(client.watch(subscription, options))
      expect(before).toEqual([])
      expect(error).toEqual(new Watch.WatchStoreError({ key, reason: "unavailable" }))
      expect(error.message).toBe(`The store can't read or keep what is known under "${key}". Check the store.`)
      expect(list.asked).toHaveLength(0)
    }),
  )

  it.effect("that can't keep anything fails the watch at the end of the reading", () =>
    Effect.gen(function* () {
      const { client, list } = yield* start(a, b)
      const options = { ...times(3), store: keeping(Effect.succeedNone) }
      const { before, error } = yield* failing(client.watch(subscription, options))
      expect(before).toEqual(["Appeared a", "Appeared b"])
      expect(error).toEqual(new Watch.WatchStoreError({ key, reason: "unavailable" }))
      expect(list.asked).toHaveLength(1)
    }),
  )

  const garbage = [
    "",
    "null",
    "[]",
    "{",
    `{"watch":2,"subscription":"s1","apiVersion":"2025-05-01","listedAt":null,"events":[]}`,
    `{"watch":1,"subscription":"s1","apiVersion":"2025-05-01","listedAt":null,"events":[{"properties":3}]}`,
  ]
  it.effect.each(garbage)("that holds what no watch wrote fails the watch, and keeps it: %j", (text) =>
    Effect.gen(function* () {
      const { list, store, watch } = yield* begin(a)
      yield* store.set(key, text)
      const { error } = yield* failing(watch())
      expect(error).toEqual(new Watch.WatchStoreError({ key, reason: "unreadable" }))
      expect(error.message).toBe(
        `What the store holds under "${key}" was not written by a watch. Use another key, or remove this one to begin anew.`,
      )
      expect(list.asked).toHaveLength(0)
      expect(yield* store.get(key)).toEqual(Option.some(text))
    }),
  )

  it.effect("that holds what is known of another subscription or version fails the watch", () =>
    Effect.gen(function* () {
      const { client } = yield* start(a)
      const { store } = yield* memory
      const other = new Watch.WatchStoreError({ key, reason: "other" })
      expect(other.message).toContain("is of another subscription or version")
      yield* collect(client.watch(subscription, { ...once, store }))
      const version = client.watch(subscription, { ...once, store, apiVersion: "2025-04-01" })
      expect(yield* failing(version)).toEqual({ before: [], error: other })
      const elsewhere = client.watch(SubscriptionId.make("s2"), { ...once, store, key })
      expect(yield* failing(elsewhere)).toEqual({ before: [], error: other })
    }),
  )
})
describe("a reading that fails", () => {
  it.effect("fails the watch, which goes on from the store when it is tried again", () =>
    Effect.gen(function* () {
      const { list, watch } = yield* begin(a, b)
      list.pageSize = 1
      list.before = (request) => (request === 1 ? 500 : undefined)
      const stream = watch(times(2))
      expect(yield* failing(stream)).toMatchObject({ before: ["Appeared a"], error: { status: 500 } })
      list.before = (request) => (request === 3 ? 403 : undefined)
      list.entries = [a, b, c]
      expect(yield* told(Stream.retry(stream, Schedule.recurs(1)))).toEqual(["Appeared b", "Appeared c"])
    }),
  )

  it.effect("is told to onFailure, and the watch goes on with the next, repeating nothing", () =>
    Effect.gen(function* () {
      const { list, watch } = yield* begin(a, b, c)
      list.pageSize = 1
      list.before = (request) => (request === 1 ? 500 : undefined)
      const heard: Array<Watch.WatchError> = []
      const onFailure = (error: Watch.WatchError) => Effect.sync(() => heard.push(error))
      expect(yield* told(watch({ ...times(2), onFailure }))).toEqual(["Appeared a", "Appeared b", "Appeared c"])
      expect(heard).toMatchObject([{ status: 500 }])
      expect(list.asked).toHaveLength(5)
    }),
  )

  it.effect("makes nothing disappear, whatever it did not come to", () =>
    Effect.gen(function* () {
      const { list, reading, watch } = yield* begin(a, b, c)
      yield* reading
      list.pageSize = 1
      list.entries = [a, b]
      list.before = (request) => (request >= 2 ? 500 : undefined)
      expect(yield* told(watch({ ...times(3), onFailure: () => Effect.void }))).toEqual([])
      list.before = () => undefined
      expect(yield* reading).toEqual(["Disappeared c"])
    }),
  )

  it.effect("has what it told kept at once", () =>
    Effect.gen(function* () {
      const { list, watch, writes } = yield* begin(a, b)
      list.pageSize = 1
      list.before = (request) => (request === 1 ? 500 : undefined)
      const onFailure = () => Effect.sync(() => expect(writes.at(-1)).toContain('"id":"a"'))
      yield* told(watch({ ...once, onFailure }))
      expect(writes).toHaveLength(1)
    }),
  )

  it.effect("ends the watch when onFailure fails", () =>
    Effect.gen(function* () {
      const { client, list } = yield* start(a)
      list.before = () => 503
      const options = { ...times(3), onFailure: () => Effect.fail("enough" as const) }
      expect(yield* failing(client.watch(subscription, options))).toEqual({ before: [], error: "enough" })
      expect(list.asked).toHaveLength(1)
    }),
  )

  it.effect("of a store that can't keep what was told is made good by the next", () =>
    Effect.gen(function* () {
      const { client } = yield* start(a)
      const { store, writes } = yield* memory
      let isDown = true
      const heard: Array<Watch.WatchError> = []
      const set: typeof store.set = (under, value) => (isDown ? Effect.fail(down) : store.set(under, value))
      const onFailure = (error: Watch.WatchError) =>
        Effect.sync(() => {
          heard.push(error)
          isDown = false
        })
      const options = { ...times(2), store: { ...store, set }, onFailure }
      expect(yield* told(client.watch(subscription, options))).toEqual(["Appeared a"])
      expect(heard).toEqual([new Watch.WatchStoreError({ key, reason: "unavailable" })])
      expect(writes).toHaveLength(1)
    }),
  )
})
