/** The ways to provide a client: its layers, the options from a `Config`, and the in-memory service. */
import { describe, expect, it } from "@effect/vitest"
import * as TestHttpClient from "@vigil/testing/TestHttpClient"
import {
  Connection,
  Credential,
  HealthClient,
  PublicInfo,
  ResourceUri,
  Sweep,
  Tenant,
  type TestData,
  TrackingId,
  Watch,
} from "@vigil/health-client"
import { PageLoop } from "@vigil/health-client/PagingError"
import { Faults, Reply } from "@vigil/sandbox"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import { collect, s1 } from "./served.js"

const listing = Effect.flatMap(HealthClient.HealthClient, (client) => collect(client.listBySubscription(s1)))

describe("layerConfig", () => {
  const list = (values: object, options?: Parameters<typeof HealthClient.layerConfig>[0]) =>
    listing.pipe(
      Effect.provide(Layer.provide(HealthClient.layerConfig(options), FetchHttpClient.layer)),
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(values)),
    )

  it.live("reads the options from a Config", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([Reply.json({ value: [] })])
      const values = { HEALTH_BASE_URL: server.origin, HEALTH_ACCESS_TOKEN: "token", HEALTH_VENDOR: "Acme" }
      yield* list(
        values,
        Config.map(Connection.config, (options) => ({
          ...options,
          transformClient: HttpClient.mapRequest(HttpClientRequest.setHeader("user-agent", "nightly")),
        })),
      )
      const [request] = yield* server.requests
      expect(request?.target).toContain("/Acme.ResourceHealth/")
      expect(request?.headers).toMatchObject({ authorization: "Bearer token", "user-agent": "nightly" })
    }),
  )

  it.live("reads the options from a record of Configs", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([Reply.json({ value: [] })])
      yield* list(
        { URL: server.origin, HEALTH: { TIMEOUT: "10 seconds" } },
        {
          baseUrl: Config.String("URL"),
          credential: Config.succeed(Credential.none),
          timeout: Config.nested(Config.Duration("TIMEOUT"), "HEALTH"),
          rateLimit: { requests: Config.succeed(10), per: Config.succeed("1 second") },
        },
      )
      expect(yield* server.requests).toHaveLength(1)
    }),
  )

  it.live.each([
    ["ConfigError", {}],
    ["InvalidSetting", { HEALTH_BASE_URL: "nowhere" }],
    ["InvalidSetting", { HEALTH_BASE_URL: "http://far.example" }],
    ["InvalidSetting", { HEALTH_BASE_URL: "https://far.example", HEALTH_VENDOR: ".." }],
    ["InvalidSetting", { HEALTH_BASE_URL: "https://far.example", HEALTH_VENDOR: "a/b" }],
  ] as const)("fails with %s for %j", ([_tag, values]) =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(list({ HEALTH_ACCESS_TOKEN: "t", ...values }))).toMatchObject({ _tag })
    }),
  )
})

it.effect("the vendor determines the support field that is checked", () =>
  Effect.gen(function* () {
    const support = (value: unknown) => ({ properties: { enableMicrosoftSupport: value } })
    const pages = (vendor: string) =>
      Connection.make({ baseUrl: "https://health.test", credential: Credential.none, vendor }).pipe(
        Effect.flatMap((connection) => collect(HealthClient.make(connection).pagesBySubscription(s1))),
        Effect.provide(TestHttpClient.layer(() => ({ json: { value: [support(true), support("True")] } }))),
      )
    const invalid = [{ index: 1, path: "properties.enableMicrosoftSupport", raw: support("True") }]
    expect(yield* pages("Microsoft")).toMatchObject([{ items: [support(true)], invalid }])
    expect(yield* pages("Acme")).toMatchObject([{ items: [support(true), support("True")], invalid: [] }])
  }),
)

describe("layerTest", () => {
  const forbidden: TestData.ErrorResponse = { status: 403, body: { error: { code: "AuthorizationFailed" } } }
  const headers = { "Retry-After": "5", "x-ms-request-id": "r-1" }
  const busy: TestData.ErrorResponse = { status: 429, headers }

  it.effect("returns the data of each operation, in pages", () =>
    Effect.gen(function* () {
      const client = yield* HealthClient.HealthClient
      const [a, x] = [TrackingId.make("A"), TrackingId.make("x")]
      const list = (uri: string) => collect(client.listByResource(ResourceUri.make(uri)))
      const pages = yield* collect(client.pagesBySubscription(s1))
      expect(pages.map(({ items }) => items.map(({ name }) => name))).toEqual([["a", "b"], ["c"]])
      for (const uri of ["/subscriptions/s1/y z", "subscriptions/s1/y z"])
        expect(yield* list(uri)).toEqual([{ name: "e" }])
      expect(yield* collect(client.listByTenant())).toEqual([{ name: "t" }])
      expect(yield* client.get(s1, a)).toMatchObject({ name: "a" })
      expect(yield* client.fetchEventDetails(s1, a)).toMatchObject({ properties: { summary: "S" } })
      expect(yield* collect(client.pagesOfImpactedResources(s1, a))).toMatchObject([{ items: [{ name: "r" }] }])
      for (const missing of [Effect.asVoid(client.get(s1, x)), Effect.asVoid(list("/x"))])
        expect(yield* Effect.flip<void, unknown, never>(missing)).toMatchObject({ reason: { _tag: "NotFound" } })
    }).pipe(
      Effect.provide(
        HealthClient.layerTest({
          subscriptions: { s1: ["a", "b", "c"].map((name) => ({ name, properties: {} })) },
          resources: { "/subscriptions/s1/y z": [{ name: "e" }] },
          tenant: [{ name: "t" }],
          impactedResources: { A: [{ name: "r" }] },
          details: { A: { name: "a", properties: { summary: "S" } } },
          pageSize: 2,
        }),
      ),
    ),
  )

  it.effect("keeps the lists of subscriptions, the tenant, emerging issues and metadata apart", () =>
    Effect.gen(function* () {
      const client = yield* HealthClient.HealthClient
      type Page = { readonly items: ReadonlyArray<{ readonly name?: string | null | undefined }> }
      const names = <E, R>(pages: Stream.Stream<Page, E, R>) =>
        collect(pages).pipe(
          Effect.map((all) => all.flatMap(({ items }) => items.map(({ name }) => name))),
          Effect.orElseSucceed(() => "failed"),
        )
      const lists = yield* Effect.all([
        names(client.pagesBySubscription(s1)),
        names(client.pagesByTenant()),
        names(PublicInfo.pagesOfEmergingIssues()),
        names(PublicInfo.pagesOfMetadata()),
        names(client.pagesOfImpactedResources(s1, TrackingId.make("A"))),
        names(client.pagesOfImpactedResources(Tenant.tenant, TrackingId.make("A"))),
      ])
      expect(lists).toEqual([["A"], ["A"], ["default"], "failed", ["r"], ["t"]])
      expect(yield* client.get(Tenant.tenant, TrackingId.make("A"))).toEqual({
        name: "A",
        properties: { title: "Of the tenant" },
      })
      expect(yield* PublicInfo.getEmergingIssue()).toMatchObject({ name: "default" })
    }).pipe(
      Effect.provide(
        HealthClient.layerTest({
          subscriptions: { s1: [{ name: "A" }] },
          tenant: [{ name: "A", properties: { title: "Of the tenant" } }],
          emergingIssues: [{ name: "default", properties: {} }],
          impactedResources: { A: [{ name: "r" }] },
          impactedResourcesOfTenant: { A: [{ name: "t" }] },
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
      const expected = [{ reason: { code: "AuthorizationFailed" } }, [{ name: "a" }]]
      for (const run of [twice, twice]) expect(yield* Effect.provide(run, test)).toMatchObject(expected)
    }),
  )

  it.effect("fails at once with a requested wait that repeats", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(listing)
      const reason = { _tag: "RateLimited", requestId: "r-1" }
      expect(error).toMatchObject({ reason, retryAfter: Duration.seconds(5) })
    }).pipe(Effect.provide(HealthClient.layerTest({ subscriptions: { s1: busy } }))),
  )
})

it.effect("Layer.mock of pages supports sweep and watch", () =>
  Effect.gen(function* () {
    const error = new PageLoop({ pages: 2 })
    const test = Layer.mock(HealthClient.HealthClient, { key: "test", pagesBySubscription: () => Stream.fail(error) })
    expect(yield* Effect.provide(collect(Sweep.sweep([s1])), test)).toMatchObject([{ _tag: "Failed", error }])
    const watch = Watch.run(s1, () => Effect.void)
    expect(yield* Effect.provide(Effect.flip(watch), [test, KeyValueStore.layerMemory])).toBe(error)
  }),
)
