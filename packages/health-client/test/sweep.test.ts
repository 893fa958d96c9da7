/** The events of many subscriptions at once. */
import { FetchHttpClient } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { Credential, HealthClient, Retry, SubscriptionId, Sweep } from "@vigil/health-client"
import type { HealthEvent, Timestamp } from "@vigil/health-schema"
import { Sandbox } from "@vigil/sandbox"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { collect, withClient } from "./collect.js"

const id = (text: string) => SubscriptionId.make(text)

describe("a sweep of many subscriptions with some failures", () => {
  it.live("returns the failures and the events of all others, with at most 8 requests at once", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({ subscriptions: 60, seed: 3 })
      const client = yield* HealthClient.make({
        baseUrl: sandbox.baseUrl,
        credential: Credential.bearer(sandbox.accessToken),
        retry: Retry.none,
        concurrency: 100,
      })
      const subscriptions = sandbox.world.subscriptions.map((subscription) => id(subscription.id))
      const failing = new Map(
        subscriptions.filter((_, index) => index % 20 === 7).map((each, n) => [each, [403, 404, 500][n % 3]]),
      )

      // The first requests wait until 8 of them are open, which shows the concurrency.
      const full = yield* Deferred.make<void>()
      let waiting = 0
      yield* sandbox.refuse(({ target }) => {
        const status = [...failing].find(([each]) => target.includes(each))?.[1]
        waiting += 1
        if (waiting === 8) return Effect.as(Deferred.succeed(full, undefined), status)
        return waiting < 8 ? Effect.as(Deferred.await(full), status) : status
      })

      const outcomes = yield* collect(
        Sweep.sweep(subscriptions, { concurrency: 8, queryStartTime: "90 days" }).pipe(withClient(client)),
      )
      expect(yield* sandbox.maxInFlight).toBe(8)

      expect(outcomes.map(({ subscription }) => subscription).toSorted()).toEqual(subscriptions.toSorted())
      for (const outcome of outcomes) {
        const expected = sandbox.world.events.filter((event) => event.subscriptions.includes(outcome.subscription))
        if (failing.has(outcome.subscription)) {
          expect(outcome).toMatchObject({
            _tag: "Failed",
            events: [],
            error: {
              operation: "HealthClient.pagesBySubscription",
              reason: { status: failing.get(outcome.subscription) },
            },
          })
        } else {
          expect(outcome).toMatchObject({ _tag: "Listed", invalid: [], older: 0 })
          expect(outcome.events.map((event) => event.id)).toEqual(expected.map(({ event }) => event.id))
        }
      }
      expect(outcomes.filter(({ _tag }) => _tag === "Failed")).toHaveLength(3)
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )
})

const timeAt = (hour: number) => `2026-03-01T0${hour}:00:00Z` as Timestamp.Timestamp

describe("an outcome", () => {
  it.effect("contains the events before a failure, and the invalid entries", () =>
    Effect.gen(function* () {
      const client = yield* HealthClient.HealthClient
      const outcomes = yield* collect(
        Sweep.sweep([id("good"), id("long"), id("odd"), id("none")], { maxPages: 1 }).pipe(withClient(client)),
      )
      const byId = new Map(outcomes.map((outcome) => [outcome.subscription, outcome]))
      expect(byId.get(id("good"))).toMatchObject({ _tag: "Listed", events: [{ name: "A" }] })
      expect(byId.get(id("long"))).toMatchObject({
        _tag: "Failed",
        events: [{ name: "B" }, { name: "C" }],
        error: { _tag: "PageLimit" },
      })
      expect(byId.get(id("odd"))).toMatchObject({
        _tag: "Listed",
        events: [{ name: "D" }],
        invalid: [{ index: 1, raw: 7 }],
      })
      expect(byId.get(id("none"))).toMatchObject({ _tag: "Failed", error: { reason: { _tag: "NotFound" } } })
    }).pipe(
      Effect.provide(
        HealthClient.layerTest({
          pageSize: 2,
          subscriptions: {
            good: [{ name: "A" }],
            long: [{ name: "B" }, { name: "C" }, { name: "X" }],
            odd: [{ name: "D" }, 7],
          },
        }),
      ),
    ),
  )
})

describe("Sweep.join", () => {
  const listed = (subscription: string, ...events: ReadonlyArray<HealthEvent.HealthEvent>): Sweep.Outcome => ({
    _tag: "Listed",
    subscription: id(subscription),
    events,
    invalid: [],
    older: 0,
  })

  it("merges events without a name by their id", () => {
    const joined = Sweep.join([listed("s1", { id: "/A" }), listed("s2", { id: "/a", name: "" }, { id: "/b" })])
    expect(joined.map(({ subscriptions }) => subscriptions)).toEqual([["s1", "s2"], ["s2"]])
  })

  it("does not merge events without a key, and returns each subscription of an event once", () => {
    const nameless: HealthEvent.HealthEvent = { properties: { title: "T" } }
    const empty: HealthEvent.HealthEvent = { name: "", properties: { title: "U" } }
    const twice: HealthEvent.HealthEvent = { name: "A", properties: { lastUpdateTime: timeAt(1) } }
    const joined = Sweep.join([
      listed("s1", nameless, empty, twice),
      listed("s1", { ...nameless }, { ...empty }, twice),
    ])
    expect(joined.map(({ subscriptions }) => subscriptions)).toEqual([["s1"], ["s1"], ["s1"], ["s1"], ["s1"]])
    expect(joined.filter(({ event }) => event.name === "A")).toEqual([{ event: twice, subscriptions: ["s1"] }])
  })

  it("includes the events of a failed outcome", () => {
    const failed: Sweep.Outcome = {
      ...listed("s2", { name: "A" }),
      _tag: "Failed",
      // `Sweep.join` does not read the error.
      error: { _tag: "PageLoop" } as Sweep.SweepError,
    }
    expect(Sweep.join([listed("s1", { name: "A" }), failed])).toMatchObject([{ subscriptions: ["s1", "s2"] }])
  })
})
