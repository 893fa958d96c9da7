/** Requests byte by byte, single statuses, and lists that are resumed. */
import { describe, expect, it } from "@effect/vitest"
import {
  ApiVersion,
  AvailabilityClient,
  Checkpoint,
  Connection,
  Credential,
  Filter,
  ResourceGroup,
  ResourceUri,
  Retry,
  Scope,
  SubscriptionId,
} from "@vigil/health-client"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { FetchHttpClient } from "effect/http"

const s1 = SubscriptionId.make("s1")
const web = ResourceUri.make("/subscriptions/s1/x/web 1")
const vendor = "/providers/Vendor.ResourceHealth"
const newest = `?api-version=${ApiVersion.defaultVersion}`

/** A client of a server with these replies, which does not retry. */
const serve = (script: Reply.Script) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve(script)
    const credential = Credential.bearer(Redacted.make("token"))
    const connection = yield* Connection.make({ baseUrl: server.origin, credential, retry: Retry.none })
    return { client: AvailabilityClient.make(connection), server }
  }).pipe(Effect.provide(FetchHttpClient.layer))

type Call = (client: AvailabilityClient.Service) => Effect.Effect<unknown, unknown>

const listOf =
  (scope: Scope.Scope, options?: AvailabilityClient.Query): Call =>
  (client) =>
    Stream.runDrain(client.list(scope, options))

const options = {
  apiVersion: ApiVersion.other("a b"),
  filter: Filter.raw("location eq 'a&b'"),
  recommendedActions: true,
}
const query = "?api-version=a%20b&$filter=location%20eq%20%27a%26b%27&$expand=recommendedactions"

it.live.each<readonly [string, Call]>([
  [`/subscriptions/s1${vendor}/availabilityStatuses${newest}`, listOf(Scope.subscription(s1))],
  [`/subscriptions/s1${vendor}/availabilityStatuses${query}`, listOf(Scope.subscription(s1), options)],
  [
    `/subscriptions/s1/resourceGroups/my%20group${vendor}/availabilityStatuses${newest}`,
    listOf(Scope.resourceGroup(s1, ResourceGroup.make("my group"))),
  ],
  [`/subscriptions/s1/x/web%201${vendor}/availabilityStatuses${newest}`, listOf(Scope.resource(web))],
  [`/subscriptions/s1/x/web%201${vendor}/childAvailabilityStatuses${newest}`, listOf(Scope.childStatuses(web))],
  [`/subscriptions/s1/x/web%201${vendor}/childResources${query}`, listOf(Scope.children(web), options)],
  [`/subscriptions/s1/x/web%201${vendor}/availabilityStatuses/current${newest}`, (client) => client.current(web)],
  [
    `/subscriptions/s1/x/web%201${vendor}/childAvailabilityStatuses/current${query}`,
    (client) => client.currentOfChild(web, options),
  ],
])("requests %s", ([target, call]) =>
  Effect.gen(function* () {
    const { client, server } = yield* serve([Reply.json({ value: [], properties: {} })])
    yield* call(client)
    expect(yield* server.requests).toMatchObject([
      { method: "GET", target, body: "", headers: { authorization: "Bearer token" } },
    ])
  }),
)

it.each(["", "..", "a/b", "a%2e"])("%j is not the name of a resource group", (text) => {
  expect(() => ResourceGroup.make(text)).toThrow()
})

it.live.each([
  ["properties", {}],
  ["properties", { id: "x", properties: null }],
  ["properties.occuredTime", { properties: { occuredTime: "7/24/2020" } }],
  ["id", { id: `/subscriptions/s1/other/providers/Vendor.ResourceHealth/x`, properties: {} }],
  ["id", { id: "/my-subscriptions/s1/x/web 1", properties: {} }],
  ["id", { id: "/subscriptions/s2/subscriptions/s1/x/web 1", properties: {} }],
  ["error", { properties: {}, error: { code: "Busy" } }],
])("a current status without valid %s fails with the reason Decode", ([path, json]) =>
  Effect.gen(function* () {
    const { client } = yield* serve([Reply.json(json)])
    expect(yield* Effect.flip(client.current(web))).toMatchObject({ reason: { _tag: "Decode", path } })
  }),
)

it.live.each([
  "subscriptions/s1/x/web 1",
  "//subscriptions//s1/x/web 1/",
  "/SUBSCRIPTIONS/S1/X/WEB%201/providers/Vendor.ResourceHealth/availabilityStatuses/current",
  "https://service.example/subscriptions/s1/x/web%201",
  null,
])("a current status with the ID %s is that of the resource", (id) =>
  Effect.gen(function* () {
    const status = { id, properties: {} }
    const { client } = yield* serve([Reply.json(status)])
    expect(yield* client.current(web)).toEqual(status)
  }),
)

it.live("an invalid entry of a page has the ID of its resource, not its name", () =>
  Effect.gen(function* () {
    const id = "/subscriptions/s1/x/providers/Vendor.ResourceHealth/availabilityStatuses/current"
    const { client } = yield* serve([
      Reply.page([
        { id, name: "current", properties: 7 },
        { name: "current", id: 7 },
      ]),
    ])
    const pages = yield* Stream.runCollect(client.pages(Scope.subscription(s1)))
    expect(pages[0]?.invalid.map(({ trackingId }) => trackingId)).toEqual(["/subscriptions/s1/x", undefined])
  }),
)

describe("a checkpoint", () => {
  const stored = Schema.fromJsonString(Checkpoint.Checkpoint)
  const pages = [Reply.page([{ name: "A" }], "?page=2"), Reply.page([{ name: "B" }])]

  const first = (client: AvailabilityClient.Service) =>
    Effect.gen(function* () {
      const page = yield* Stream.runHead(client.pages(Scope.subscription(s1), options))
      const text = yield* Schema.encodeEffect(stored)(Option.getOrThrow(page).checkpoint)
      return yield* Schema.decodeEffect(stored)(text)
    })

  it.live("resumes after its page, as stored", () =>
    Effect.gen(function* () {
      const { client, server } = yield* serve(pages)
      const from = yield* first(client)
      const rest = yield* Stream.runCollect(client.pages(Scope.subscription(s1), { ...options, from }))
      expect(rest).toMatchObject([{ items: [{ name: "B" }], checkpoint: { pages: 2, items: 2 } }])
      expect((yield* server.requests).map(({ target }) => target.split("?")[1])).toEqual([query.slice(1), "page=2"])
    }),
  )

  it.live.each<readonly [string, Scope.Scope, AvailabilityClient.Query]>([
    ["id", Scope.resourceGroup(s1, ResourceGroup.make("g")), options],
    ["scope", Scope.children(ResourceUri.make("subscriptions/s1")), options],
    ["filter", Scope.subscription(s1), { ...options, filter: undefined }],
    ["expand", Scope.subscription(s1), { ...options, recommendedActions: false }],
  ])("of a list with another %s fails before any request", ([field, scope, query]) =>
    Effect.gen(function* () {
      const { client, server } = yield* serve(pages)
      const from = yield* first(client)
      const error = yield* Effect.flip(Stream.runDrain(client.pages(scope, { ...query, from })))
      expect(error).toMatchObject({ _tag: "CheckpointMismatch", field })
      expect(yield* server.requests).toHaveLength(1)
    }),
  )
})
