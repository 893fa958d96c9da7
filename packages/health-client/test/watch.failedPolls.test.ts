/** Failed polls of a watch. */
import { describe, expect, it } from "@effect/vitest"
import { Watch } from "@vigil/health-client"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
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
import { withClient } from "./collect.js"

const a = event("a", now - hour)
const b = event("b", now - 2 * hour)
const c = event("c", now - 3 * hour)

describe("a failed poll", () => {
  it.effect("fails the watch, and a retry resumes from the store", () =>
    Effect.gen(function* () {
      const { list, watch } = yield* begin(a, b)
      list.pageSize = 1
      list.before = (request) => (request === 1 ? 500 : undefined)
      const stream = watch(times(2))
      expect(yield* failing(stream)).toMatchObject({ before: ["Appeared a"], error: { reason: { status: 500 } } })
      list.before = (request) => (request === 3 ? 403 : undefined)
      list.entries = [a, b, c]
      expect(yield* changesOf(Stream.retry(stream, Schedule.recurs(1)))).toEqual(["Appeared b", "Appeared c"])
    }),
  )

  it.effect.each([
    ["the list fails", 3, []],
    ["an event is invalid", undefined, [{ id: "odd", properties: 1 }]],
  ] as const)("emits the changes that it read before its failure: %s", ([, refused, invalid]) =>
    Effect.gen(function* () {
      const { list, poll, watch } = yield* begin(a, b)
      yield* poll
      list.pageSize = 1
      list.entries = [a, b, c, ...invalid, event("d", now)]
      const before = list.requests.length
      list.before = (request) => (request - before === refused ? 500 : undefined)
      const { before: seen } = yield* failing(watch())
      expect(seen).toEqual(["Appeared c"])
    }),
  )

  it.effect("fails with its own error, even if the store fails as well", () =>
    Effect.gen(function* () {
      const { list, poll, store, watch } = yield* begin(a, b)
      yield* poll
      list.pageSize = 1
      list.entries = [c, a, b]
      const before = list.requests.length
      list.before = (request) => (request - before === 1 ? 403 : undefined)
      const set = () => Effect.fail(storeError)
      expect(yield* failing(watch({ ...once, store: { ...store, set } }))).toMatchObject({
        before: [],
        error: { reason: { status: 403 } },
      })
      list.before = () => undefined
      expect(yield* poll).toEqual(["Appeared c"])
    }),
  )

  it.effect("is passed to onFailure, and the watch continues without duplicates", () =>
    Effect.gen(function* () {
      const { list, watch } = yield* begin(a, b, c)
      list.pageSize = 1
      list.before = (request) => (request === 1 ? 500 : undefined)
      const reported: Array<Watch.WatchError> = []
      const onFailure = (error: Watch.WatchError) => Effect.sync(() => reported.push(error))
      expect(yield* changesOf(watch({ ...times(2), onFailure }))).toEqual(["Appeared a", "Appeared b", "Appeared c"])
      expect(reported).toMatchObject([{ reason: { status: 500 } }])
      expect(list.requests).toHaveLength(5)
    }),
  )

  it.effect("saves the delivered changes at once", () =>
    Effect.gen(function* () {
      const { list, watch, writes } = yield* begin(a, b)
      list.pageSize = 1
      list.before = (request) => (request === 1 ? 500 : undefined)
      const onFailure = () => Effect.sync(() => expect(writes.at(-1)).toMatch(/"delivered":\{"id":"a"/))
      yield* changesOf(watch({ ...once, onFailure }))
      expect(writes.at(-1)).not.toContain('"pending"')
    }),
  )

  it.effect("ends the watch if onFailure fails", () =>
    Effect.gen(function* () {
      const { client, list } = yield* start(a)
      list.before = () => 503
      const options = { ...times(3), onFailure: () => Effect.fail("enough" as const) }
      expect(yield* failing(Watch.watch(subscription, options).pipe(withClient(client)))).toEqual({
        before: [],
        error: "enough",
      })
      expect(list.requests).toHaveLength(1)
    }),
  )

  it.effect("and a failed save are repaired by the next poll", () =>
    Effect.gen(function* () {
      const { client } = yield* start(a)
      const { store, writes } = yield* memory
      let isDown = true
      const reported: Array<Watch.WatchError> = []
      const set: typeof store.set = (storeKey, value) => (isDown ? Effect.fail(storeError) : store.set(storeKey, value))
      const onFailure = (error: Watch.WatchError) =>
        Effect.sync(() => {
          reported.push(error)
          isDown = false
        })
      const options = { ...times(2), store: { ...store, set }, onFailure }
      expect(yield* changesOf(Watch.watch(subscription, options).pipe(withClient(client)))).toEqual(["Appeared a"])
      expect(reported).toEqual([
        new Watch.WatchStoreError({ key, operation: "save", reason: "unavailable", cause: storeError }),
      ])
      expect(writes.at(-1)).toContain('"id":"a"')
    }),
  )
})
