/** Operations on a list under some faults: pages, resuming, collecting, `find` and sweeps. */
import { describe, expect, it } from "@effect/vitest"
import { Checkpoint, ResourceUri, SubscriptionId, TrackingId, Sweep } from "@vigil/health-client"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { cases, extra, finite, run } from "./cases.js"
import { connect, drain, guarded, type Drained, namesOf, subscription, tagOf } from "./harness.js"
import { withClient } from "../collect.js"

const stored = Schema.fromJsonString(Checkpoint.Checkpoint)

/** The result of an effect that returns all events or fails. */
const toResult = <A, E, R>(effect: Effect.Effect<ReadonlyArray<A>, E, R>): Effect.Effect<Drained<A, E>, never, R> =>
  Effect.map(
    Effect.result(effect),
    Result.match({
      onFailure: (error): Drained<A, E> => ({ delivered: [], error }),
      onSuccess: (delivered): Drained<A, E> => ({ delivered, error: undefined }),
    }),
  )

describe.each(cases)("$name", ({ outcome, limits, name, pages, resumes }) => {
  it.live("fails after the pages before it, and the last checkpoint resumes once the service is repaired", () =>
    Effect.gen(function* () {
      const { delivered, error, ...servers } = yield* run(name, (client) =>
        drain(client.pagesBySubscription(subscription, limits)),
      )
      expect(delivered.map(({ items }) => namesOf(items))).toEqual(pages)
      expect(tagOf(error)).toBe(outcome)

      servers.repair([extra])
      const checkpoint = yield* Effect.fromNullishOr(delivered.at(-1)?.checkpoint)
      expect(checkpoint).toMatchObject({ pages: pages.length, items: pages.length })
      const from = yield* Schema.decodeEffect(stored)(yield* Schema.encodeEffect(stored)(checkpoint))
      const before = (yield* servers.server.requests).length
      const { client } = yield* connect(servers.server.origin)
      const again = yield* guarded(servers, drain(client.listBySubscription(subscription, { ...limits, from })))
      expect([...namesOf(again.delivered), tagOf(again.error)].join(" ")).toBe(resumes)
      const requests = (yield* servers.server.requests).slice(before)
      expect(requests).toHaveLength(resumes === "EXTRA end" ? 1 : 0)
      for (const { origin, target } of requests) expect(checkpoint.next).toEqual(Option.some(`${origin}${target}`))
    }),
  )

  it.live("has the same outcome for the list of a resource", () =>
    Effect.gen(function* () {
      const uri = ResourceUri.make("/subscriptions/s1/resourceGroups/shop/providers/Vendor.Compute/machines/web-1")
      const { delivered, error, server } = yield* run(name, (client) => drain(client.listByResource(uri, limits)))
      expect(namesOf(delivered)).toEqual(pages.flat())
      expect(tagOf(error)).toBe(outcome)
      if (error !== undefined && "operation" in error) expect(error.operation).toBe("HealthClient.listByResource")
      expect((yield* server.requests)[0]?.target).toBe(
        `${uri}/providers/Vendor.ResourceHealth/events?api-version=2025-05-01`,
      )
    }),
  )

  it.live("is one result of a sweep, with the events before it, and does not affect other subscriptions", () =>
    Effect.gen(function* () {
      const other = SubscriptionId.make("other")
      const { delivered } = yield* run(name, (client) =>
        drain(Sweep.sweep([subscription, other], limits).pipe(withClient(client))),
      )
      const resultOf = (id: SubscriptionId.SubscriptionId) => delivered.find((outcome) => outcome.subscription === id)
      expect(delivered).toHaveLength(2)
      expect(resultOf(other)).toMatchObject({ _tag: "Listed", events: [extra], invalid: [] })
      expect(resultOf(subscription)).toMatchObject({
        invalid: [],
        ...(outcome === "end" ? { _tag: "Listed" } : { _tag: "Failed", error: { _tag: outcome } }),
      })
      expect(namesOf(resultOf(subscription)?.events ?? [])).toEqual(pages.flat())
    }),
  )
})

describe.each(finite)("$name", ({ outcome, name }) => {
  it.live("fails `find` for an event that is not before it", () =>
    Effect.gen(function* () {
      const { delivered, error } = yield* run(name, (client) =>
        toResult(Effect.map(client.find(subscription, TrackingId.make("NOWHERE")), Option.toArray)),
      )
      expect([...namesOf(delivered), tagOf(error)]).toEqual([outcome])
    }),
  )
})

it.live("an event on two pages is listed twice, and `Sweep.join` merges it", () =>
  Effect.gen(function* () {
    const { delivered } = yield* run("same-id-twice", (client) =>
      drain(Sweep.sweep([subscription]).pipe(withClient(client))),
    )
    expect(delivered.map(({ events }) => namesOf(events))).toEqual([["SAME", "SAME"]])
    const joined = Sweep.join(delivered)
    expect(joined).toMatchObject([{ event: { name: "SAME" }, subscriptions: [subscription] }])
  }),
)
