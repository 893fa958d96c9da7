/** The readings of a list under some of its faults: pages and checkpoints, all at once, one event, and sweeps. */
import { describe, expect, it } from "@effect/vitest"
import { Checkpoint, ResourceUri, SubscriptionId, TrackingId, Sweep } from "@vigil/health-client"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { cases, ending, reading, well } from "./cases.js"
import { connect, drain, type Ending, guarded, namesOf, subscription, tagOf } from "./harness.js"
import { collect, withClient } from "../collect.js"

const stored = Schema.parseJson(Checkpoint.Checkpoint)

/** What an effect came to, as a reading. */
const ended = <A, E, R>(effect: Effect.Effect<ReadonlyArray<A>, E, R>): Effect.Effect<Ending<A, E>, never, R> =>
  Effect.map(
    Effect.either(effect),
    Either.match({
      onLeft: (error): Ending<A, E> => ({ delivered: [], error }),
      onRight: (delivered): Ending<A, E> => ({ delivered, error: undefined }),
    }),
  )

describe.each(cases)("$name", ({ ends, limits, name, pages, resumes }) => {
  it.scopedLive("costs no page before it, and the last checkpoint goes on once the service is well", () =>
    Effect.gen(function* () {
      const { delivered, error, ...mendable } = yield* reading(name, (client) =>
        drain(client.pagesBySubscription(subscription, limits)),
      )
      expect(delivered.map(({ items }) => namesOf(items))).toEqual(pages)
      expect(tagOf(error)).toBe(ends)

      mendable.mend([well])
      const checkpoint = yield* Effect.fromNullable(delivered.at(-1)?.checkpoint)
      expect(checkpoint).toMatchObject({ pages: pages.length, items: pages.length })
      const from = yield* Schema.decode(stored)(yield* Schema.encode(stored)(checkpoint))
      const before = (yield* mendable.server.requests).length
      const { client } = yield* connect(mendable.server.origin)
      const again = yield* guarded(mendable, drain(client.listBySubscription(subscription, { ...limits, from })))
      expect([...namesOf(again.delivered), tagOf(again.error)].join(" ")).toBe(resumes)
      const requests = (yield* mendable.server.requests).slice(before)
      expect(requests).toHaveLength(resumes === "WELL end" ? 1 : 0)
      for (const { origin, target } of requests) expect(checkpoint.next).toEqual(Option.some(`${origin}${target}`))
    }),
  )

  it.scopedLive("costs no event before it when pages are fetched ahead", () =>
    Effect.gen(function* () {
      const { delivered, error } = yield* reading(name, (client) =>
        drain(client.listBySubscription(subscription, { ...limits, prefetch: 4 })),
      )
      expect(namesOf(delivered)).toEqual(pages.flat())
      expect(tagOf(error)).toBe(ends)
    }),
  )

  it.scopedLive("fails a collection, which has all events or none", () =>
    Effect.gen(function* () {
      const { delivered, error } = yield* reading(name, (client) =>
        ended(collect(client.listBySubscription(subscription, limits))),
      )
      expect(tagOf(error)).toBe(ends)
      expect(namesOf(delivered)).toEqual(ends === "end" ? pages.flat() : [])
      if (error !== undefined && "operation" in error) expect(error.operation).toBe("HealthClient.listBySubscription")
    }),
  )

  it.scopedLive("ends the list of a resource as it ends that of a subscription", () =>
    Effect.gen(function* () {
      const uri = ResourceUri.make("/subscriptions/s1/resourceGroups/shop/providers/Vendor.Compute/machines/web-1")
      const { delivered, error, server } = yield* reading(name, (client) => drain(client.listByResource(uri, limits)))
      expect(namesOf(delivered)).toEqual(pages.flat())
      expect(tagOf(error)).toBe(ends)
      if (error !== undefined && "operation" in error) expect(error.operation).toBe("HealthClient.listByResource")
      expect((yield* server.requests)[0]?.target).toBe(
        `${uri}/providers/Vendor.ResourceHealth/events?api-version=2025-05-01`,
      )
    }),
  )

  it.scopedLive("is not met by who finds the event before it", () =>
    Effect.gen(function* () {
      const id = TrackingId.make(pages[0]?.[0] ?? "")
      const { delivered, error, server } = yield* reading(name, (client) =>
        ended(Effect.map(client.find(subscription, id), Option.toArray)),
      )
      expect([...namesOf(delivered), tagOf(error)]).toEqual([id, "end"])
      expect(yield* server.requests).toHaveLength(1)
    }),
  )

  it.scopedLive("is told with what a sweep has found, and costs the other subscriptions nothing", () =>
    Effect.gen(function* () {
      const other = SubscriptionId.make("well")
      const { delivered } = yield* reading(name, (client) =>
        drain(Sweep.sweep([subscription, other], limits).pipe(withClient(client))),
      )
      const of = (id: SubscriptionId.SubscriptionId) => delivered.find((outcome) => outcome.subscription === id)
      expect(delivered).toHaveLength(2)
      expect(of(other)).toMatchObject({ _tag: "Listed", events: [well], invalid: [] })
      expect(of(subscription)).toMatchObject({
        invalid: [],
        ...(ends === "end" ? { _tag: "Listed" } : { _tag: "Failed", error: { _tag: ends } }),
      })
      expect(namesOf(of(subscription)?.events ?? [])).toEqual(pages.flat())
    }),
  )
})

describe.each(ending)("$name", ({ ends, name }) => {
  it.scopedLive("fails the search for an event that does not stand before it", () =>
    Effect.gen(function* () {
      const { delivered, error } = yield* reading(name, (client) =>
        ended(Effect.map(client.find(subscription, TrackingId.make("NOWHERE")), Option.toArray)),
      )
      expect([...namesOf(delivered), tagOf(error)]).toEqual([ends])
    }),
  )
})

it.scopedLive("an event on two pages is listed twice, and joined with itself on request", () =>
  Effect.gen(function* () {
    const { delivered } = yield* reading("same-id-twice", (client) =>
      drain(Sweep.sweep([subscription]).pipe(withClient(client))),
    )
    expect(delivered.map(({ events }) => namesOf(events))).toEqual([["SAME", "SAME"]])
    const joined = Sweep.join(delivered)
    expect(joined).toMatchObject([{ event: { name: "SAME" }, subscriptions: [subscription] }])
  }),
)
