/** Clients that share a connection, and connections that share nothing. */
import { describe, expect, it } from "@effect/vitest"
import { AvailabilityClient, Connection, Credential, HealthClient, PublicInfo, Scope } from "@vigil/health-client"
import * as TestHttpClient from "@vigil/testing/TestHttpClient"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { settle } from "@vigil/testing/Drive"
import { s1 } from "./served.js"

/** A service at any URL, its requests, and the tokens that were fetched. */
const makeService = () => {
  const requests: Array<string> = []
  const counts = { tokens: 0 }
  const http = TestHttpClient.layer(({ url }) => {
    requests.push(url.host)
    return { json: { value: [] } }
  })
  const options = (host = "health.test"): Connection.Options => ({
    baseUrl: `https://${host}`,
    credential: Credential.bearer(Effect.sync(() => Redacted.make(`t${++counts.tokens}`))),
    rateLimit: { requests: 5, per: "1 minute" },
  })
  return { requests, counts, http, options }
}

/** Ten requests, of both clients. */
const lists = Effect.gen(function* () {
  const health = yield* HealthClient.HealthClient
  const availability = yield* AvailabilityClient.AvailabilityClient
  const pair = [
    Stream.runDrain(health.listBySubscription(s1)),
    Stream.runDrain(availability.list(Scope.subscription(s1))),
  ]
  yield* Effect.all([...pair, ...pair, ...pair, ...pair, ...pair], { concurrency: "unbounded", discard: true })
})

// Effect builds a constant layer once for a program, also one that merges others.
const clients = () => Layer.mergeAll(HealthClient.layer, AvailabilityClient.layer)

describe("two clients", () => {
  it.effect("of one connection share its rate limit and its token", () =>
    Effect.gen(function* () {
      const { counts, http, options, requests } = makeService()
      const shared = clients().pipe(Layer.provide(Connection.layer(options())), Layer.provide(http))
      const fiber = yield* Effect.forkChild(Effect.provide(lists, shared))
      yield* settle
      expect([requests.length, counts.tokens]).toEqual([5, 1])
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
      expect([requests.length, counts.tokens]).toEqual([10, 1])
    }),
  )

  it.effect("of two connections with the same options share nothing", () =>
    Effect.gen(function* () {
      const { counts, http, options, requests } = makeService()
      const same = options()
      const own = Layer.mergeAll(
        Layer.provide(HealthClient.layer, Connection.layer(same)),
        Layer.provide(AvailabilityClient.layer, Connection.layer(same)),
      )
      yield* Effect.provide(lists, Layer.provide(own, http))
      expect([requests.length, counts.tokens]).toEqual([10, 2])
    }),
  )
})

describe("two services in one program", () => {
  const hosts = ["a.test", "b.test"]
  const list = Effect.flatMap(HealthClient.HealthClient, (health) => Stream.runDrain(health.listBySubscription(s1)))
  const status = Effect.flatMap(AvailabilityClient.AvailabilityClient, (availability) =>
    Stream.runDrain(availability.list(Scope.subscription(s1))),
  )
  const issues = Stream.runDrain(PublicInfo.pagesOfEmergingIssues())
  const all = Effect.all([list, status, issues])

  it.effect("never meet, side by side and nested, with clients of one connection and of their own", () =>
    Effect.gen(function* () {
      const { http, options, requests } = makeService()
      const connection = (host: string) => Connection.layer(options(host)).pipe(Layer.provide(http))
      const shared = (host: string) => Layer.provide(clients(), connection(host))
      const own = (host: string) =>
        Layer.mergeAll(
          Layer.provide(HealthClient.layer, connection(host)),
          Layer.provide(AvailabilityClient.layer, connection(host)),
        )
      const constant = clients()
      const fresh = (host: string) => Layer.provide(Layer.fresh(constant), connection(host))
      for (const layerOf of [shared, own, fresh]) {
        requests.length = 0
        yield* Effect.forEach(hosts, (host) => Effect.provide(all, layerOf(host)))
        const nested = Effect.andThen(Effect.provide(all, layerOf("b.test")), all)
        yield* Effect.provide(nested, layerOf("a.test"))
        const [a, b] = hosts.map((host) => [host, host, host])
        expect(requests).toEqual([a, b, b, a].flat())
        requests.length = 0
        // Both in one layer, as services of a program.
        const programs = Layer.mergeAll(
          Layer.provide(Layer.effectDiscard(all), layerOf("a.test")),
          Layer.provide(Layer.effectDiscard(all), layerOf("b.test")),
        )
        yield* Effect.scoped(Layer.build(programs))
        expect(requests.toSorted()).toEqual([a, b].flat())
      }
    }),
  )

  it.effect("are those that each client was built for, merged in any order", () =>
    Effect.gen(function* () {
      const { http, options, requests } = makeService()
      const connection = (host: string) => Connection.layer(options(host)).pipe(Layer.provide(http))
      const events = Layer.provide(HealthClient.layer, connection("a.test"))
      const statuses = Layer.provide(AvailabilityClient.layer, connection("b.test"))
      for (const merged of [Layer.mergeAll(events, statuses), Layer.mergeAll(statuses, events)]) {
        requests.length = 0
        yield* Effect.provide(all, merged)
        expect(requests).toEqual(["a.test", "b.test", "a.test"])
      }
    }),
  )
})
