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
const connected = () => Layer.mergeAll(HealthClient.layerConnected, AvailabilityClient.layerConnected)

describe("two clients", () => {
  it.effect("of one connection share its rate limit and its token", () =>
    Effect.gen(function* () {
      const { counts, http, options, requests } = makeService()
      const clients = connected().pipe(Layer.provide(Connection.layer(options())), Layer.provide(http))
      const fiber = yield* Effect.forkChild(Effect.provide(lists, clients))
      yield* settle
      expect([requests.length, counts.tokens]).toEqual([5, 1])
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
      expect([requests.length, counts.tokens]).toEqual([10, 1])
    }),
  )

  it.effect("of two layers with the same options share nothing", () =>
    Effect.gen(function* () {
      const { counts, http, options, requests } = makeService()
      const same = options()
      const clients = Layer.mergeAll(HealthClient.layer(same), AvailabilityClient.layer(same))
      yield* Effect.provide(lists, Layer.provide(clients, http))
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
      const shared = (host: string) =>
        connected().pipe(Layer.provideMerge(Connection.layer(options(host))), Layer.provide(http))
      const own = (host: string) =>
        AvailabilityClient.layerConnected.pipe(
          Layer.provideMerge(HealthClient.layer(options(host))),
          Layer.provide(http),
        )
      const constant = connected()
      const fresh = (host: string) =>
        Layer.fresh(constant).pipe(Layer.provideMerge(Connection.layer(options(host))), Layer.provide(http))
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
})
