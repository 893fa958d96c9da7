/** The layers: from the configuration, and for tests. */
import { FetchHttpClient } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { TestHttpClient } from "@vigil/core-http"
import {
  Credential,
  HealthClient,
  ResourceUri,
  SubscriptionId,
  Sweep,
  type TestData,
  TrackingId,
  Watch,
  WatchStore,
} from "@vigil/health-client"
import { PageLoop } from "@vigil/health-client/PagingError"
import { Faults, Reply } from "@vigil/sandbox"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { collect } from "./collect.js"

const s1 = SubscriptionId.make("s1")
const listing = Effect.flatMap(HealthClient.HealthClient, (client) => collect(client.listBySubscription(s1)))

describe("layerConfig", () => {
  const list = (values: Record<string, string>, options?: Parameters<typeof HealthClient.layerConfig>[0]) =>
    listing.pipe(
      Effect.provide(Layer.provide(HealthClient.layerConfig(options), FetchHttpClient.layer)),
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(values)),
    )

  it.live("reads the options from a Config", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([Reply.json({ value: [] })])
      const values = { HEALTH_BASE_URL: server.origin, HEALTH_ACCESS_TOKEN: "token", HEALTH_VENDOR: "Acme" }
      const config = Config.map(HealthClient.config, (options) => ({ ...options, userAgent: "nightly" }))
      expect(yield* list(values, config)).toEqual([])
      expect(yield* server.requests).toMatchObject([
        {
          target: expect.stringContaining("/Acme.ResourceHealth/"),
          headers: { authorization: "Bearer token", "user-agent": "nightly" },
        },
      ])
    }),
  )

  it.live("fails for a missing option, an invalid URL, plain HTTP, and an invalid vendor", () =>
    Effect.gen(function* () {
      const tag = (values: Record<string, string>) =>
        Effect.map(Effect.flip(list({ HEALTH_ACCESS_TOKEN: "t", ...values })), ({ _tag }) => _tag)
      expect(yield* tag({})).toBe("ConfigError")
      expect(yield* tag({ HEALTH_BASE_URL: "nowhere" })).toBe("InvalidSetting")
      expect(yield* tag({ HEALTH_BASE_URL: "http://far.example" })).toBe("InvalidSetting")
      for (const HEALTH_VENDOR of ["..", "a/b"])
        expect(yield* tag({ HEALTH_BASE_URL: "https://far.example", HEALTH_VENDOR })).toBe("InvalidSetting")
    }),
  )
})

it.effect("the vendor determines the support field that is checked", () =>
  Effect.gen(function* () {
    const support = (value: unknown) => ({ properties: { enableMicrosoftSupport: value } })
    const made = (vendor: string) =>
      HealthClient.make({ baseUrl: "https://health.test", credential: Credential.none, vendor }).pipe(
        Effect.provide(TestHttpClient.layer(() => ({ json: { value: [support(true), support("True")] } }))),
      )
    const pages = Effect.flatMap(made("Microsoft"), (client) => collect(client.pagesBySubscription(s1)))
    const invalid = [{ index: 1, path: "properties.enableMicrosoftSupport", raw: support("True") }]
    expect(yield* pages).toMatchObject([{ items: [support(true)], invalid }])
    expect(yield* Effect.flatMap(made("Acme"), (client) => collect(client.listBySubscription(s1)))).toHaveLength(2)
  }),
)

describe("layerTest", () => {
  const forbidden: TestData.ErrorResponse = { status: 403, body: { error: { code: "AuthorizationFailed" } } }
  const busy: TestData.ErrorResponse = { status: 429, headers: { "Retry-After": "5" } }

  it.effect("returns the data of each operation, in pages", () =>
    Effect.gen(function* () {
      const client = yield* HealthClient.HealthClient
      const pages = yield* collect(client.pagesBySubscription(s1))
      expect(pages.map(({ items }) => items.map(({ name }) => name))).toEqual([["a", "b"], ["c"]])
      for (const uri of ["/subscriptions/s1/y z", "subscriptions/s1/y z"])
        expect(yield* collect(client.listByResource(ResourceUri.make(uri)))).toEqual([{ name: "e" }])
      expect(yield* collect(client.listByTenant())).toEqual([{ name: "t" }])
      const a = TrackingId.make("a")
      expect(yield* client.get(s1, TrackingId.make("A"))).toMatchObject({ name: "a" })
      expect(yield* client.fetchEventDetails(s1, a)).toMatchObject({ properties: { summary: "S" } })
      expect(yield* collect(client.pagesOfImpactedResources(s1, a))).toMatchObject([{ items: [{ name: "r" }] }])
      for (const missing of [
        client.get(s1, TrackingId.make("x")),
        collect(client.listByResource(ResourceUri.make("/x"))),
      ])
        expect(yield* Effect.flip<unknown, unknown, never>(missing)).toMatchObject({ reason: { _tag: "NotFound" } })
    }).pipe(
      Effect.provide(
        HealthClient.layerTest({
          subscriptions: { s1: ["a", "b", "c"].map((name) => ({ name, properties: {} })) },
          resources: { "/subscriptions/s1/y z": [{ name: "e" }] },
          tenant: [{ name: "t" }],
          impactedResources: { a: [{ name: "r" }] },
          details: { a: { name: "a", properties: { summary: "S" } } },
          pageSize: 2,
        }),
      ),
    ),
  )

  // The clock of the test never moves.
  it.effect("retries without a wait, retry-after included, and starts again each time it is built", () =>
    Effect.gen(function* () {
      const responses = [{ status: 503 }, busy, forbidden, [{ name: "a" }]] as const
      const twice = Effect.all([Effect.flip(listing), listing])
      const test = HealthClient.layerTest({ subscriptions: { s1: { responses } } })
      for (const run of [twice, twice])
        expect(yield* Effect.provide(run, test)).toMatchObject([
          { reason: { code: "AuthorizationFailed" } },
          [{ name: "a" }],
        ])
    }),
  )

  it.effect("fails at once with a requested wait that repeats", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(listing)
      expect(error).toMatchObject({ reason: { _tag: "RateLimited" }, retryAfter: Duration.seconds(5) })
    }).pipe(Effect.provide(HealthClient.layerTest({ subscriptions: { s1: busy } }))),
  )
})

it.effect("Layer.mock of pages supports sweep and watch", () =>
  Effect.gen(function* () {
    const error = new PageLoop({ pages: 2 })
    const test = Layer.mock(HealthClient.HealthClient, { pagesBySubscription: () => Stream.fail(error) })
    expect(yield* Effect.provide(collect(Sweep.sweep([s1])), test)).toMatchObject([{ _tag: "Failed", error }])
    const watch = Watch.run(s1, () => Effect.void)
    expect(yield* Effect.provide(Effect.flip(watch), [test, WatchStore.layerMemory])).toBe(error)
  }),
)
