/** Invalid events in the list of a watch. */
import { describe, expect, it } from "@effect/vitest"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Credential, HealthClient, type InvalidEvent } from "@vigil/health-client"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import {
  begin,
  event,
  failing,
  hour,
  memory,
  now,
  once,
  start,
  subscription,
  times,
  changesOf,
  watchOf,
} from "./watched.js"

const a = event("a", now - hour)
const b = event("b", now - 2 * hour)
const c = event("c", now - 3 * hour)

const broken = { properties: "none" }

describe("an invalid event", () => {
  const tolerant = { ...once, onInvalid: () => Effect.void }

  it.effect("fails the poll after the events of its page, with the reason", () =>
    Effect.gen(function* () {
      const { list, watch } = yield* start(a, broken, b, c)
      list.pageSize = 3
      const { before, error } = yield* failing(watch(subscription, once))
      expect(before).toEqual(["Appeared a", "Appeared b"])
      expect(error).toMatchObject({
        _tag: "InvalidEvent",
        index: 1,
        path: "properties",
        raw: broken,
        operation: "Watch.watch",
      })
    }),
  )

  it.effect("is passed to onInvalid, and the poll continues", () =>
    Effect.gen(function* () {
      const { watch } = yield* start(a, broken, b)
      const reported: Array<unknown> = []
      const onInvalid = ({ raw }: InvalidEvent.InvalidEvent) => Effect.sync(() => reported.push(raw))
      expect(yield* changesOf(watch(subscription, { ...once, onInvalid }))).toEqual(["Appeared a", "Appeared b"])
      expect(reported).toEqual([broken])
      const failed = { ...once, onInvalid: () => Effect.fail("enough" as const) }
      expect(yield* failing(watch(subscription, failed))).toEqual({
        before: ["Appeared a", "Appeared b"],
        error: "enough",
      })
    }),
  )

  it.effect("prevents its event from disappearing while it is listed", () =>
    Effect.gen(function* () {
      const { list, poll, watch } = yield* begin(a, b)
      yield* poll
      const tolerant = watch({ ...once, onInvalid: () => Effect.void })
      list.entries = [{ properties: "none" }, b]
      expect(yield* changesOf(tolerant)).toEqual([])
      for (const _ of [1, 2, 3]) {
        yield* TestClock.adjust("4 days")
        expect(yield* changesOf(tolerant)).toEqual([])
      }
      list.entries = [b]
      expect(yield* poll).toEqual(["Disappeared a"])
      expect(yield* poll).toEqual([])
    }),
  )

  it.effect("prevents its event from disappearing only during the retention", () =>
    Effect.gen(function* () {
      const { list, poll, watch } = yield* begin(a, b)
      yield* poll
      const tolerant = watch({ ...once, onInvalid: () => Effect.void })
      list.entries = [{ properties: "none" }, b]
      expect(yield* changesOf(tolerant)).toEqual([])
      yield* TestClock.adjust("40 days")
      for (const _ of [1, 2]) expect(yield* changesOf(tolerant)).toEqual([])
      list.entries = [b]
      expect(yield* poll).toEqual([])
      const from = list.requests.at(-1)?.searchParams.get("queryStartTime") ?? ""
      expect(Date.parse(`${from} UTC`)).toBeGreaterThan(now)
    }),
  )

  it.effect("is passed to onInvalid once if the list is read twice", () =>
    Effect.gen(function* () {
      const { list, poll, watch } = yield* begin(a, b, c)
      yield* poll
      list.pageSize = 1
      list.entries = [{ ...broken, id: "odd" }, a, b]
      const before = list.requests.length
      const reported: Array<unknown> = []
      const onInvalid = ({ raw }: InvalidEvent.InvalidEvent) => Effect.sync(() => reported.push(raw))
      expect(yield* changesOf(watch({ ...once, onInvalid }))).toEqual(["Disappeared c"])
      expect(list.requests).toHaveLength(before + 6)
      expect(reported).toEqual([{ ...broken, id: "odd" }])
    }),
  )

  it.effect.each([
    { id: "a", properties: 1 },
    { id: "a", name: 5 },
    { id: 5, name: "name of a" },
    { name: "name of a", properties: [] },
  ])("prevents the event that it identifies from disappearing: %j", (entry) =>
    Effect.gen(function* () {
      const { list, poll, watch } = yield* begin(a, b)
      yield* poll
      list.entries = [entry]
      expect(yield* changesOf(watch(tolerant))).toEqual(["Disappeared b"])
      list.entries = []
      expect(yield* changesOf(watch(tolerant))).toEqual(["Disappeared a"])
    }),
  )

  it.effect.each([[broken], [null], ["a"], [{ id: 5, name: "" }]])(
    "prevents all events from disappearing if it identifies none: %j",
    ([entry]) =>
      Effect.gen(function* () {
        const { list, poll, watch } = yield* begin(a, b)
        yield* poll
        list.entries = [entry]
        expect(yield* changesOf(watch(tolerant))).toEqual([])
        list.entries = [b]
        expect(yield* changesOf(watch(tolerant))).toEqual(["Disappeared a"])
      }),
  )
})

describe("an event that is nested too deep to be stored", () => {
  const nested = `${"[".repeat(50_000)}${"]".repeat(50_000)}`
  const deep = JSON.stringify({ ...event("deep", now), extra: 0 }).replace(`"extra":0`, `"extra":${nested}`)
  const keyless = `{"extra":${nested}}`
  const tooDeep = { _tag: "WatchStoreError", operation: "save", reason: "tooDeep", retryable: false }

  /** Polls of a list of these texts. */
  const listing = (...entries: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const http = HttpClient.make((request) =>
        Effect.sync(() => HttpClientResponse.fromWeb(request, new Response(`{"value":[${entries.join(",")}]}`))),
      )
      const client = yield* HealthClient.make({ baseUrl: "https://health.test", credential: Credential.none }).pipe(
        Effect.provideService(HttpClient.HttpClient, http),
      )
      return watchOf(client)
    })

  it.effect.each([deep, keyless])("fails a watch with a store", (entry) =>
    Effect.gen(function* () {
      const watch = yield* listing(JSON.stringify(a), entry)
      const { store, writes } = yield* memory
      const { error } = yield* failing(watch(subscription, { ...once, store }))
      expect(writes.join()).not.toContain("extra")
      expect(error).toMatchObject(tooDeep)
      expect(error).toHaveProperty("message", expect.stringContaining("an event is nested too deep"))
    }),
  )

  it.effect("fails the second poll of a watch without a store", () =>
    Effect.gen(function* () {
      const watch = yield* listing(JSON.stringify(a), deep)
      const { before, error } = yield* failing(watch(subscription, times(2)))
      expect(before).toEqual(["Appeared a", "Appeared deep"])
      expect(error).toMatchObject(tooDeep)
    }),
  )
})
