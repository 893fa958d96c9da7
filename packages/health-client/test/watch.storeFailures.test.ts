/** Failures of the store of a watch. */
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import { describe, expect, it } from "@effect/vitest"
import { Filter, SubscriptionId, Watch } from "@vigil/health-client"
import * as Effect from "effect/Effect"
import {
  begin,
  event,
  failing,
  hour,
  key,
  memory,
  now,
  once,
  start,
  storeError,
  subscription,
  times,
  changesOf,
} from "./watched.js"
import { collect, withClient } from "./collect.js"

const a = event("a", now - hour)
const b = event("b", now - 2 * hour)

describe("a store", () => {
  const readOnlyStore = (get: Effect.Effect<string | undefined, KeyValueStore.KeyValueStoreError>) =>
    KeyValueStore.makeStringOnly({
      get: () => get,
      set: () => Effect.fail(storeError),
      remove: () => Effect.void,
      clear: Effect.void,
      size: Effect.succeed(0),
      keys: Effect.succeed([]),
    })

  it.effect("that cannot be read fails the watch before any request", () =>
    Effect.gen(function* () {
      const { client, list } = yield* start(a)
      const options = { ...once, store: readOnlyStore(Effect.fail(storeError)) }
      const { before, error } = yield* failing(Watch.watch(subscription, options).pipe(withClient(client)))
      expect(before).toEqual([])
      expect(error).toEqual(
        new Watch.WatchStoreError({ key, operation: "load", reason: "unavailable", cause: storeError }),
      )
      expect(error).toMatchObject({ service: "health", retryable: true })
      expect(error.message).toBe(`Could not load the state of the watch under "${key}". Check the store.`)
      expect(list.requests).toHaveLength(0)
    }),
  )

  it.effect("that cannot be written fails the watch before it emits changes", () =>
    Effect.gen(function* () {
      const { client, list } = yield* start(a, b)
      const options = { ...times(3), store: readOnlyStore(Effect.undefined) }
      const { before, error } = yield* failing(Watch.watch(subscription, options).pipe(withClient(client)))
      expect(before).toEqual([])
      expect(error).toEqual(
        new Watch.WatchStoreError({ key, operation: "save", reason: "unavailable", cause: storeError }),
      )
      expect(list.requests).toHaveLength(1)
    }),
  )

  const stored = (watch: number, entries: string) =>
    `{"watch":${watch},"subscription":"s1","apiVersion":"2025-05-01","filter":"","entries":${entries}}`
  const garbage = [
    "",
    "null",
    "[]",
    "{",
    stored(2, "[]"),
    stored(1, `[{"delivered":{}}]`),
    stored(1, `[{"key":"a","delivered":{"properties":3}}]`),
    stored(1, `[{"key":"a","pending":{"properties":3}}]`),
  ]
  it.effect.each(garbage)("with unreadable text fails the watch, and is not overwritten: %j", (text) =>
    Effect.gen(function* () {
      const { list, store, watch } = yield* begin(a)
      yield* store.set(key, text)
      const { error } = yield* failing(watch())
      expect(error).toEqual(new Watch.WatchStoreError({ key, operation: "load", reason: "unreadable" }))
      expect(error).toMatchObject({ retryable: false })
      expect(error.message).toBe(
        `The state in the store under "${key}" was not written by a watch. Use another key, or remove this one to start over.`,
      )
      expect(list.requests).toHaveLength(0)
      expect(yield* store.get(key)).toBe(text)
    }),
  )

  it.effect("of another subscription, version or filter fails the watch", () =>
    Effect.gen(function* () {
      const { client } = yield* start(a)
      const { store } = yield* memory
      const other = new Watch.WatchStoreError({ key, operation: "load", reason: "other" })
      expect(other.message).toContain("belongs to another subscription, version or filter")
      yield* collect(Watch.watch(subscription, { ...once, store }).pipe(withClient(client)))
      const version = Watch.watch(subscription, { ...once, store, apiVersion: "2025-04-01" }).pipe(withClient(client))
      expect(yield* failing(version)).toEqual({ before: [], error: other })
      const elsewhere = Watch.watch(SubscriptionId.make("s2"), { ...once, store, key }).pipe(withClient(client))
      expect(yield* failing(elsewhere)).toEqual({ before: [], error: other })
      const fewer = Watch.watch(subscription, { ...once, store, filter: Filter.eq("service", "A") }).pipe(
        withClient(client),
      )
      expect(yield* failing(fewer)).toEqual({ before: [], error: other })
    }),
  )

  it.effect("of the same filter in another form is resumed", () =>
    Effect.gen(function* () {
      const { watch } = yield* begin(a)
      expect(yield* changesOf(watch({ ...once, filter: "" }))).toEqual(["Appeared a"])
      expect(yield* changesOf(watch())).toEqual([])
      const text = { ...once, filter: "service eq 'A'", key: "filtered" }
      expect(yield* changesOf(watch(text))).toEqual(["Appeared a"])
      expect(yield* changesOf(watch({ ...text, filter: Filter.eq("service", "A") }))).toEqual([])
    }),
  )
})
