/** A watch whose API version changes between runs. */
import { describe, expect, it } from "@effect/vitest"
import { SubscriptionId, Watch } from "@vigil/health-client"
import { ApiVersion, HealthEvent } from "@vigil/health-schema"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/testing/TestClock"
import { a, b, begin, brief, day, event, now, versions } from "./watched.js"

const [newest, older = ""] = [ApiVersion.defaultVersion, ApiVersion.all.at(-1)]
const next = ApiVersion.other("9999-01-01")

/** A type that the older version does not know. */
const ownType = HealthEvent.eventTypes(newest as ApiVersion.Default).known.find(
  (type) => !HealthEvent.eventTypes(older as ApiVersion.Known).known.some((other) => other === type),
)

/** A watch that polls once with a version of the API, and returns the changes as short texts. */
const watch = (...entries: ReadonlyArray<unknown>) =>
  Effect.map(begin(...entries), ({ list, provide, values }) => ({
    list,
    values,
    poll: (apiVersion: string, id = "s1") =>
      Effect.suspend(() => {
        const seen: Array<string> = []
        const handler = (change: Watch.Change<ApiVersion.ApiVersion>) =>
          Effect.sync(() => void seen.push(brief(change)))
        const options = { apiVersion: apiVersion as ApiVersion.ApiVersion, schedule: Schedule.recurs(0) }
        return Effect.as(provide(Watch.run(SubscriptionId.make(id), handler, options)), seen)
      }),
  }))

describe("a watch of another API version", () => {
  it.effect("continues: fields that only one version has are no changes, those that both have are", () =>
    Effect.gen(function* () {
      const { list, poll } = yield* watch(a, b)
      list.view = (entry, version) => ({ ...(entry as object), [`only ${version}`]: version })
      expect(yield* poll(newest)).toEqual(["Appeared a", "Appeared b"])
      for (const version of [...versions, ...versions.toReversed()]) expect(yield* poll(version)).toEqual([])
      list.entries = [a, event("b", now, { title: "new" }), event("c", now)]
      expect(yield* poll(next)).toEqual(["Updated b", "Appeared c"])
      list.entries = [a, event("b", now, { title: "newer" })]
      expect(yield* poll(newest)).toEqual(["Updated b", "Disappeared c"])
      list.entries = [a, event("b", now, { status: "Resolved" })]
      expect(yield* poll(next)).toEqual(["Resolved b"])
    }),
  )

  it.effect("compares all fields from its second poll", () =>
    Effect.gen(function* () {
      const { list, poll } = yield* watch(a)
      yield* poll(newest)
      list.entries = [{ ...a, more: 1 }]
      expect(yield* poll(next)).toEqual([])
      list.entries = [{ ...a, more: 2 }]
      expect(yield* poll(next)).toEqual(["Updated a"])
    }),
  )

  it.effect("keeps an event of a type that only the other version knows, and forgets it after 90 days", () =>
    Effect.gen(function* () {
      const own = event("own", now, { eventType: ownType })
      const ended = event("ended", now, { eventType: ownType, status: "Resolved", lastUpdateTime: undefined })
      const { list, poll, values } = yield* watch(a, own, ended)
      list.pageSize = 1
      const isKnown = (entry: unknown) => [own, ended].every((one) => one !== entry)
      yield* poll(newest)
      const all = list.entries
      for (let turn = 0; turn < 3; turn += 1) {
        list.entries = all.filter(isKnown)
        list.requests.length = 0
        expect(yield* poll(older)).toEqual([])
        // The list is complete: it is not read again.
        expect(list.requests).toHaveLength(1)
        list.entries = all
        expect(yield* poll(newest)).toEqual([])
      }
      list.entries = [a]
      yield* poll(older)
      yield* TestClock.adjust(90 * day)
      expect(yield* poll(older)).toEqual([])
      expect([...values.values()].join()).not.toContain("name of own")
    }),
  )

  it.effect("withdraws an event of a type that its version knows, and of an unknown type of its own lists", () =>
    Effect.gen(function* () {
      const unknown = event("unknown", now, { eventType: "Unheard" })
      const known = event("known", now, { eventType: "ServiceIssue" })
      const { list, poll } = yield* watch(unknown, known)
      yield* poll(newest)
      list.entries = []
      expect(yield* poll(older)).toEqual(["Disappeared known"])
      list.entries = [unknown]
      expect(yield* poll(older)).toEqual([])
      list.entries = []
      expect(yield* poll(older)).toEqual(["Disappeared unknown"])
    }),
  )

  it.effect("keeps what it can read of an event, and the changes that wait", () =>
    Effect.gen(function* () {
      const { list, poll, values } = yield* watch(a)
      yield* poll(newest)
      // What another version sends as a record is a text in this one.
      const text = [...values.values()].join().replace('"status":"Active"', '"title":{"text":"a"},"status":"Active"')
      const pending = { _tag: "Disappeared", event: { ...b, properties: { title: { text: "b" }, status: "Active" } } }
      for (const key of values.keys())
        values.set(key, text.replaceAll(newest, next).replace('"pending":[]', `"pending":[${JSON.stringify(pending)}]`))
      list.entries = [event("a", now, { title: "a" })]
      expect(yield* poll(newest)).toEqual(["Disappeared b", "Updated a"])
    }),
  )
})

describe("a state that release 0.2 stored under a key with its version", () => {
  /** As it computed them. */
  const keys = { "2025-05-01": "watch/s1/3bd570033ec1f5c7", "2025-04-01": "watch/s1/4fab2ed193d65db8" }

  it.effect.each(["2025-05-01", "2025-04-01"] as const)("of %s continues under the new key", (version) =>
    Effect.gen(function* () {
      const { list, poll, values } = yield* watch(a, b)
      yield* poll(version)
      const [[key = "", text = ""] = []] = values
      values.clear()
      const pending = `"id":"x","pending":[{"_tag":"Appeared","key":"a"},{"_tag":"Appeared","key":"b"}]`
      values.set(keys[version], text.replace('"pending":[]', pending))
      values.set(`${keys[version]}/handled`, '{"id":"x","handled":[[0,1]]}')
      list.entries = [a]
      expect(yield* poll(next)).toEqual(["Appeared b", "Disappeared b"])
      expect([...values.keys()]).toEqual([key])
    }),
  )
})

describe("a subscription whose ID is written in another case", () => {
  it.effect("has the same state", () =>
    Effect.gen(function* () {
      const { list, poll } = yield* watch(a, b)
      expect(yield* poll(newest, "S1")).toEqual(["Appeared a", "Appeared b"])
      expect(yield* poll(newest, "s1")).toEqual([])
      list.entries = [a]
      expect(yield* poll(newest, "S1")).toEqual(["Disappeared b"])
    }),
  )

  it.effect.each(["S1", "s1"])("continues the state that release 0.3 stored for S1: %s", (id) =>
    Effect.gen(function* () {
      const { poll, values } = yield* watch(a, b)
      yield* poll(newest, "S1")
      const [[key = "", text = ""] = []] = values
      values.clear()
      // As it computed it.
      values.set("watch/S1/8439e926bf8bd7b8", text)
      expect(yield* poll(newest, id)).toEqual([])
      expect([...values.keys()]).toEqual([key])
    }),
  )
})
