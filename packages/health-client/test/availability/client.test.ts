/** The layers, the errors and the types of the client. */
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import {
  AvailabilityClient,
  type AvailabilityStatus,
  type Checkpoint,
  type CheckpointMismatch,
  InvalidStatus,
  type Listing,
  type PagingError,
  type RequestError,
  ResourceGroup,
  ResourceUri,
  Scope,
  type SettingsError,
  SubscriptionId,
} from "@vigil/health-client"
import * as TestHttpClient from "@vigil/testing/TestHttpClient"
import type * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { HttpClient } from "effect/http"

const s1 = SubscriptionId.make("s1")

it.effect("layerConfig reads the variables of health-client", () => {
  const requests: Array<TestHttpClient.TestRequest> = []
  const service = TestHttpClient.layer((request) => {
    requests.push(request)
    return { json: { value: [] } }
  })
  const values = { HEALTH_BASE_URL: "https://health.test", HEALTH_ACCESS_TOKEN: "token", HEALTH_VENDOR: "Acme" }
  return Effect.gen(function* () {
    const client = yield* AvailabilityClient.AvailabilityClient
    yield* Stream.runDrain(client.list(Scope.subscription(s1)))
    expect(requests).toMatchObject([{ headers: { authorization: "Bearer token" } }])
    expect(requests[0]?.url.pathname).toContain("/Acme.ResourceHealth/")
  }).pipe(
    Effect.provide(Layer.provide(AvailabilityClient.layerConfig(), service)),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(values)),
  )
})

it.effect("layerTest returns the data of each operation, in pages, whatever the case of the ID", () =>
  Effect.gen(function* () {
    const client = yield* AvailabilityClient.AvailabilityClient
    const db = ResourceUri.make("/subscriptions/s1/DB")
    const namesOf = (scope: Scope.Scope) =>
      Effect.map(Stream.runCollect(client.pages(scope)), (pages) =>
        pages.map(({ items }) => items.map(({ name }) => name)),
      )
    expect(yield* namesOf(Scope.subscription(s1))).toEqual([["a", "b"], ["c"]])
    expect(yield* namesOf(Scope.resourceGroup(s1, ResourceGroup.make("g")))).toEqual([["d"]])
    expect(yield* namesOf(Scope.resource(db))).toEqual([["now", "before"]])
    expect(yield* namesOf(Scope.childStatuses(db))).toEqual([["child"]])
    expect(yield* namesOf(Scope.children(db))).toEqual([["children"]])
    expect(yield* client.current(db)).toMatchObject({ name: "now" })
    expect(yield* client.currentOfChild(ResourceUri.make("/subscriptions/s1/set"))).toMatchObject({ name: "set" })
    for (const missing of [client.current(ResourceUri.make("/x")), namesOf(Scope.children(ResourceUri.make("/x")))])
      expect(yield* Effect.flip<unknown, unknown, never>(missing)).toMatchObject({ reason: { _tag: "NotFound" } })
  }).pipe(
    Effect.provide(
      AvailabilityClient.layerTest({
        statuses: {
          "subscriptions/s1": ["a", "b", "c"].map((name) => ({ name })),
          "/subscriptions/s1/resourcegroups/g": [{ name: "d" }],
          "/subscriptions/s1/db": [{ name: "now", properties: {} }, { name: "before" }],
        },
        childStatuses: { "/subscriptions/s1/db": { responses: [{ status: 503 }, [{ name: "child" }]] } },
        children: { "/subscriptions/s1/db": [{ name: "children" }] },
        current: { "/subscriptions/s1/set": { name: "set", properties: {} } },
        pageSize: 2,
      }),
    ),
  ),
)

it.each([
  [
    "AvailabilityClient.list: entry 3 of page 2 (/subscriptions/s1/x) is not a status: properties.title must be text, not a number. Skip invalid entries with onInvalid, or report them to the service.",
    { id: "/subscriptions/s1/x/providers/Vendor.ResourceHealth/availabilityStatuses/current" },
  ],
  [
    "AvailabilityClient.list: entry 3 of page 2 is not a status: properties.title must be text, not a number. Skip invalid entries with onInvalid, or report them to the service.",
    { id: 7 },
  ],
])("%s", (message, raw) => {
  const json = Schema.fromJsonString(InvalidStatus.InvalidStatus)
  const fields = { page: 2, index: 3, path: "properties.title", problem: "must be text, not a number", raw }
  const encoded = { _tag: "InvalidStatus", operation: "AvailabilityClient.list", ...fields }
  const error = Schema.decodeSync(json)(JSON.stringify(encoded))
  expect(error).toMatchObject({ service: "health", isRetryable: false, message })
  expect(JSON.parse(Schema.encodeSync(json)(error))).toEqual(encoded)
})

describe("the type of", () => {
  type Status = AvailabilityStatus.AvailabilityStatus
  type PageError = RequestError.RequestError | PagingError.PageLoop
  /** Only checks the types: the values do not exist. */
  const types = (name: string, check: (client: AvailabilityClient.Service, scope: Scope.Scope) => void) =>
    it(name, () => expectTypeOf(check).toBeFunction())

  types("a list has three errors, and PageLimit only with maxPages", (client, scope) => {
    type ListError = PageError | InvalidStatus.InvalidStatus
    expectTypeOf(client.list(scope)).toEqualTypeOf<Stream.Stream<Status, ListError>>()
    expectTypeOf(client.list(scope, { maxPages: 1 })).toEqualTypeOf<
      Stream.Stream<Status, ListError | PagingError.PageLimit>
    >()
    // @ts-expect-error -- text is not a name until it is validated
    Scope.resourceGroup(s1, "g")
  })

  types("pages has CheckpointMismatch only if they are resumed", (client, scope) => {
    const from = {} as Checkpoint.Checkpoint
    expectTypeOf(client.pages(scope)).toEqualTypeOf<Stream.Stream<Listing.Page<Status>, PageError>>()
    expectTypeOf(client.pages(scope, { from })).toEqualTypeOf<
      Stream.Stream<Listing.Page<Status>, PageError | CheckpointMismatch.CheckpointMismatch>
    >()
  })

  types("a layer names the errors of its options, and needs an HttpClient", () => {
    expectTypeOf(AvailabilityClient.layerConfig()).toEqualTypeOf<
      Layer.Layer<
        AvailabilityClient.AvailabilityClient,
        Config.ConfigError | SettingsError.InvalidSetting,
        HttpClient.HttpClient
      >
    >()
  })
})
