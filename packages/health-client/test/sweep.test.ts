/** The events of many subscriptions at once. */
import { FetchHttpClient } from "effect/http"
import { expect, it } from "@effect/vitest"
import {
  Connection,
  Credential,
  HealthClient,
  type HealthEvent,
  Retry,
  SubscriptionId,
  Sweep,
} from "@vigil/health-client"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"
import { collect } from "./served.js"

const id = (text: string) => SubscriptionId.make(text)

it.live("a sweep lists all subscriptions but those that fail, with at most 8 requests at once", () =>
  Effect.gen(function* () {
    const sandbox = yield* Sandbox.make({ subscriptions: 20 })
    const credential = Credential.bearer(sandbox.accessToken)
    const options = { baseUrl: sandbox.baseUrl, credential, retry: Retry.none, concurrency: 100 }
    const client = HealthClient.make(yield* Connection.make(options))
    const ids = sandbox.world.subscriptions.map((subscription) => id(subscription.id))

    // The first requests wait until 8 of them are open, which shows the concurrency.
    const full = yield* Latch.make()
    let count = 0
    yield* sandbox.refuse(({ target }) =>
      Effect.as(++count === 8 ? full.open : full.await, target.includes(ids[7] ?? "none") ? 403 : undefined),
    )

    const sweep = Sweep.sweep(ids, { concurrency: 8, queryStartTime: "90 days" })
    const outcomes = yield* collect(sweep.pipe(Stream.provideService(HealthClient.HealthClient, client)))
    expect(yield* sandbox.maxInFlight).toBe(8)
    expect(outcomes.map(({ subscription }) => subscription).toSorted()).toEqual(ids.toSorted())
    for (const { _tag, events, subscription } of outcomes) {
      const all = sandbox.world.events.filter(({ subscriptions }) => subscriptions.includes(subscription))
      const isFailed = subscription === ids[7]
      expect([_tag, events.length]).toEqual(isFailed ? ["Failed", 0] : ["Listed", all.length])
    }
  }).pipe(Effect.provide(FetchHttpClient.layer)),
)

it.effect("a sweep emits the events before a failure, and the invalid entries", () =>
  Effect.gen(function* () {
    const outcomes = yield* collect(Sweep.sweep([id("odd"), id("long"), id("none")], { maxPages: 1 }))
    expect(Object.fromEntries(outcomes.map((outcome) => [outcome.subscription, outcome]))).toMatchObject({
      odd: { _tag: "Listed", events: [{ name: "D" }], invalid: [{ index: 1, raw: 7 }], older: 0 },
      long: { _tag: "Failed", events: [{ name: "B" }, { name: "C" }], error: { _tag: "PageLimit" } },
      none: { _tag: "Failed", error: { reason: { _tag: "NotFound" } } },
    })
  }).pipe(
    Effect.provide(
      HealthClient.layerTest({
        pageSize: 2,
        subscriptions: { odd: [{ name: "D" }, 7], long: [{ name: "B" }, { name: "C" }, { name: "X" }] },
      }),
    ),
  ),
)

it("Sweep.join merges events by their name or id, and never those without", () => {
  const listed = (subscription: string, ...events: ReadonlyArray<HealthEvent.HealthEvent>): Sweep.Outcome => ({
    _tag: "Listed",
    subscription: id(subscription),
    events,
    invalid: [],
    older: 0,
  })
  const nameless = { name: "", properties: { title: "T" } }
  const joined = Sweep.join([
    listed("s1", { name: "A" }, { name: "A" }, { id: "/B" }, nameless, { ...nameless }),
    listed("s2", { id: "/b", name: "" }, { name: "a" }, { id: "/c" }),
  ])
  expect(joined.map(({ event, subscriptions }) => [event.name || event.id, ...subscriptions])).toEqual([
    ["A", "s1", "s2"],
    ["/B", "s1", "s2"],
    [undefined, "s1"],
    [undefined, "s1"],
    ["/c", "s2"],
  ])
})
