/** One poll of a fleet. */
import { describe, expect, it } from "@effect/vitest"
import * as Filter from "@vigil/health-client/Filter"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { poll, type PollResult } from "../src/internal/poll.js"

const now = DateTime.makeUnsafe(0)
const s1 = SubscriptionId.make("s1")
const a = { id: "a", properties: { status: "Active" } }

describe("a poll", () => {
  it.effect("returns the changes, and a state only if it differs", () =>
    Effect.gen(function* () {
      const first = yield* poll(s1, null, { now })
      expect(first).toMatchObject({
        isFirst: true,
        invalid: 1,
        error: undefined,
        changes: [{ _tag: "Appeared", event: a }],
      })
      const state = first.state ?? ""
      expect(yield* poll(s1, state, { now })).toMatchObject({ isFirst: false, changes: [], state: undefined })
      const other = yield* poll(s1, state, { now, filter: Filter.raw("a") })
      expect(other).toMatchObject({ isFirst: true, changes: [{ _tag: "Appeared" }], state: expect.any(String) })
    }).pipe(Effect.provide(HealthClient.layerTest({ subscriptions: { s1: [a, 3] } }))),
  )

  it.effect("says that a state is unreadable, and starts over", () =>
    Effect.gen(function* () {
      const logs: Array<unknown> = []
      const logger = Logger.make(({ message }) => void logs.push(message))
      const started = yield* Effect.provide(poll(s1, "{}", { now }), Logger.layer([logger]))
      expect(started).toMatchObject({ isFirst: true, changes: [{ _tag: "Appeared" }] })
      expect(logs).toEqual([["The watch of s1 starts over.", expect.objectContaining({ reason: "unreadable" })]])
    }).pipe(Effect.provide(HealthClient.layerTest({ subscriptions: { s1: [a] } }))),
  )

  it.effect("that fails has no changes, and the next one is still the first", () =>
    Effect.gen(function* () {
      const failed = yield* poll(s1, null, { now })
      expect(failed).toMatchObject({ isFirst: true, changes: [], error: expect.stringContaining("403") })
      const state = failed.state ?? ""
      expect(yield* poll(s1, state, { now })).toMatchObject({ isFirst: true, changes: [{ _tag: "Appeared" }] })
    }).pipe(Effect.provide(HealthClient.layerTest({ subscriptions: { s1: { responses: [{ status: 403 }, [a]] } } }))),
  )

  it.effect("that is throttled says so, and how long the service asks to wait", () =>
    Effect.gen(function* () {
      const { error, retryAfter } = yield* poll(s1, null, { now })
      expect(error).toContain("Throttled: ")
      expect(retryAfter).toEqual(Duration.hours(1))
    }).pipe(
      Effect.provide(
        HealthClient.layerTest({
          subscriptions: { s1: { responses: [{ status: 429, headers: { "retry-after": "3600" } }] } },
        }),
      ),
    ),
  )

  it.effect("ends without a next page, because its claim is extended while it runs", () =>
    Effect.gen(function* () {
      const hangs = Layer.mock(HealthClient.HealthClient, { key: "test", pagesBySubscription: () => Stream.never })
      const polling = yield* Effect.forkChild(Effect.provide(poll(s1, null, { now }), hangs))
      yield* TestClock.adjust("10 minutes")
      expect((yield* Fiber.join(polling)).error).toContain("within 10m")
    }),
  )

  it.effect("that has a defect fails, and logs it", () =>
    Effect.gen(function* () {
      const logs: Array<unknown> = []
      const logger = Logger.make(({ cause, message }) => void logs.push([message, Cause.squash(cause)]))
      const bug = new TypeError("a defect")
      const failed = yield* Effect.provide(poll(s1, null, { now }), [
        Layer.mock(HealthClient.HealthClient, { key: "test", pagesBySubscription: () => Stream.die(bug) }),
        Logger.layer([logger]),
      ])
      expect(failed).toMatchObject({ changes: [], state: undefined, error: expect.stringContaining("defect") })
      expect(logs).toEqual([[["The poll of s1 has a defect."], bug]])
    }),
  )

  it.effect("of a runner that reads another version of the API continues, over 300 polls", () =>
    Effect.gen(function* () {
      const versions = [...ApiVersion.all, ApiVersion.other("9999-01-01")]
      const seen: Array<string> = []
      const expected: Array<string> = []
      let state: string | null = null
      for (let turn = 0; turn < 300; turn += 1) {
        const apiVersion = versions[turn % versions.length] ?? ""
        const entries = [0, 1, 2].map((step) => {
          const number = Math.floor(turn / 10) + step
          const own = { [`only ${apiVersion}`]: turn }
          return {
            id: `${number}`,
            ...own,
            properties: {
              status: "Active",
              title: `${turn - (turn % 5)}`,
              lastUpdateTime: "1970-01-01T00:00:00Z",
              ...own,
            },
          }
        })
        const { changes, state: next }: PollResult = yield* Effect.provide(
          poll(s1, state, { now, apiVersion: apiVersion as ApiVersion.ApiVersion }),
          HealthClient.layerTest({ subscriptions: { s1: entries } }),
        )
        state = next ?? state
        seen.push(...changes.map(({ _tag, event }) => `${turn} ${_tag} ${event.id}`))
        const first = turn / 10
        if (turn === 0) expected.push("0 Appeared 0", "0 Appeared 1", "0 Appeared 2")
        else if (turn % 10 === 0)
          expected.push(
            `${turn} Updated ${first}`,
            `${turn} Updated ${first + 1}`,
            `${turn} Appeared ${first + 2}`,
            `${turn} Disappeared ${first - 1}`,
          )
        else if (turn % 5 === 0)
          for (const step of [0, 1, 2]) expected.push(`${turn} Updated ${Math.floor(first) + step}`)
      }
      expect(seen).toEqual(expected)
    }),
  )

  it.effect("waits for its turn before each request except the first", () =>
    Effect.gen(function* () {
      const properties = { status: "Active", lastUpdateTime: "1970-01-01T00:00:00Z" }
      const events = ["a", "b", "c"].map((id) => ({ id, properties }))
      const layer = (count: number) =>
        HealthClient.layerTest({ pageSize: 1, subscriptions: { s1: events.slice(-count) } })
      let turns = 0
      const turn = Effect.sync(() => void turns++)
      const { state } = yield* Effect.provide(poll(s1, null, { now }, turn), layer(3))
      expect(turns).toBe(2)
      // Several pages lack a known event, so the poll reads them again.
      yield* Effect.provide(poll(s1, state ?? "", { now }, turn), layer(2))
      expect(turns).toBe(5)
    }),
  )
})
