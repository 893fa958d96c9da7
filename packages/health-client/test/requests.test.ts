/** Requests of lists, byte by byte. */
import { FetchHttpClient } from "effect/http"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import {
  Credential,
  Filter,
  HealthClient,
  type Listing,
  QueryStartTime,
  ResourceUri,
  SubscriptionId,
} from "@vigil/health-client"
import { ApiVersion } from "@vigil/health-schema"
import { Faults, Reply } from "@vigil/sandbox"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"

const instant = (text: string) => DateTime.makeUnsafe(text)

/** The target of the request of a call. */
const target = (call: (client: HealthClient.Service) => Stream.Stream<unknown, unknown>, vendor?: string) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve([Reply.page([])])
    const client = yield* HealthClient.make({
      baseUrl: `${server.origin}/`,
      credential: Credential.bearer(Redacted.make("token")),
      vendor,
    })
    yield* Stream.runDrain(call(client))
    const requests = yield* server.requests
    expect(requests.map(({ body, headers, method }) => [method, body, headers["authorization"]])).toEqual([
      ["GET", "", "Bearer token"],
    ])
    return requests.map(({ target }) => target).join()
  }).pipe(Effect.provide(FetchHttpClient.layer))

const path = "/providers/Vendor.ResourceHealth/events"
const newest = "?api-version=2025-05-01"

describe("a subscription", () => {
  it.effect.each([
    ["0b1f-77", "/subscriptions/0b1f-77"],
    ["s 1", "/subscriptions/s%201"],
    ["a'b@c:d", "/subscriptions/a'b%40c%3Ad"],
    ["zürich", "/subscriptions/z%C3%BCrich"],
    ["a+b&c=d", "/subscriptions/a%2Bb%26c%3Dd"],
    ["...", "/subscriptions/..."],
    ["~a;b,c$", "/subscriptions/~a%3Bb%2Cc%24"],
    ['<"`{|}^>', "/subscriptions/%3C%22%60%7B%7C%7D%5E%3E"],
  ] as const)("%j is one path segment", ([id, segment]) =>
    Effect.gen(function* () {
      expect(yield* target(({ listBySubscription }) => listBySubscription(SubscriptionId.make(id)))).toBe(
        `${segment}${path}${newest}`,
      )
    }),
  )
})

describe("a resource", () => {
  it.effect.each([
    ["/subscriptions/s1/resourceGroups/shop/providers/Vendor.Compute/virtualMachines/web-1", undefined],
    ["subscriptions/s1/resourceGroups/shop/providers/Vendor.Compute/virtualMachines/web-1", undefined],
    ["/subscriptions/s1/resourceGroups/my group", "/subscriptions/s1/resourceGroups/my%20group"],
    ["a", "/a"],
    ["/ä/b+c", "/%C3%A4/b%2Bc"],
  ] as const)("%s keeps its segments after one slash", ([uri, expected]) =>
    Effect.gen(function* () {
      const segments = expected ?? `/${uri.replace(/^\//, "")}`
      expect(yield* target(({ listByResource }) => listByResource(ResourceUri.make(uri)))).toBe(
        `${segments}${path}${newest}`,
      )
    }),
  )
})

const filters: ReadonlyArray<readonly [Filter.Filter | string, string]> = [
  [Filter.service("Storage"), "service%20eq%20%27Storage%27"],
  [
    Filter.or(Filter.service("Key Vault"), Filter.region("West Europe")),
    "service%20eq%20%27Key%20Vault%27%20or%20region%20eq%20%27West%20Europe%27",
  ],
  [Filter.region("x' or service eq 'y"), "region%20eq%20%27x%27%27%20or%20service%20eq%20%27%27y%27"],
  [Filter.region("a&b=c#d?e+f"), "region%20eq%20%27a%26b%3Dc%23d%3Fe%2Bf%27"],
  [Filter.service("Zürich\n"), "service%20eq%20%27Z%C3%BCrich%0A%27"],
  [Filter.raw("properties/eventType eq ServiceIssue"), "properties%2FeventType%20eq%20ServiceIssue"],
  ["service ne 'A' & api-version=1", "service%20ne%20%27A%27%20%26%20api-version%3D1"],
]

describe("a filter", () => {
  it.effect.each(filters)("%j stays in its query parameter", ([filter, expected]) =>
    Effect.gen(function* () {
      const id = SubscriptionId.make("s1")
      expect(yield* target(({ listBySubscription }) => listBySubscription(id, { filter }))).toBe(
        `/subscriptions/s1${path}${newest}&$filter=${expected}`,
      )
      const uri = ResourceUri.make("/subscriptions/s1/x")
      expect(yield* target(({ pagesByResource }) => pagesByResource(uri, { filter }))).toBe(
        `/subscriptions/s1/x${path}${newest}&$filter=${expected}`,
      )
    }),
  )
})

const starts: ReadonlyArray<readonly [NonNullable<Listing.SubscriptionQuery["queryStartTime"]>, string]> = [
  [instant("2020-07-24T13:45:00Z"), "7%2F24%2F2020"],
  [instant("2020-12-01T00:00:00Z"), "12%2F1%2F2020"],
  // The day in UTC, in any zone of the instant.
  [DateTime.makeZonedUnsafe("2020-07-24T23:30:00Z", { timeZone: "Pacific/Auckland" }), "7%2F24%2F2020"],
  [DateTime.makeZonedUnsafe("2020-07-24T01:30:00Z", { timeZone: "America/Los_Angeles" }), "7%2F24%2F2020"],
  // The clock is at the start of 1 March 2024.
  [Duration.days(1), "2%2F29%2F2024"],
  [Duration.millis(1), "2%2F29%2F2024"],
  [Duration.zero, "3%2F1%2F2024"],
  [Duration.infinity, "1%2F1%2F1970"],
  ["30 days", "1%2F31%2F2024"],
  ["36 hours", "2%2F28%2F2024"],
  [QueryStartTime.raw("2020-07-24T00:00:00Z"), "2020-07-24T00%3A00%3A00Z"],
  [QueryStartTime.raw("yesterday & more"), "yesterday%20%26%20more"],
]

describe("a start time", () => {
  it.effect.each(starts)("%s is sent as %s", ([queryStartTime, expected]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(instant("2024-03-01T00:00:00Z")))
      const id = SubscriptionId.make("s1")
      expect(yield* target(({ listBySubscription }) => listBySubscription(id, { queryStartTime }))).toBe(
        `/subscriptions/s1${path}${newest}&queryStartTime=${expected}`,
      )
    }),
  )
})

describe("the version and the vendor", () => {
  it.effect.each([
    ["2025-05-01", "2025-05-01"],
    ["2025-04-01", "2025-04-01"],
    [ApiVersion.other("2026-01-01-preview"), "2026-01-01-preview"],
    [ApiVersion.other("a b&c"), "a%20b%26c"],
  ] as const)("%s is sent once, as the first parameter", ([apiVersion, expected]) =>
    Effect.gen(function* () {
      const id = SubscriptionId.make("s1")
      const options = { apiVersion, filter: "a", queryStartTime: QueryStartTime.raw("1/2/2024") }
      expect(yield* target((client) => client.listBySubscription(id, options))).toBe(
        `/subscriptions/s1${path}?api-version=${expected}&$filter=a&queryStartTime=1%2F2%2F2024`,
      )
    }),
  )
})

it("a start time is not any text", () => {
  expectTypeOf<"30 dogs">().not.toExtend<Listing.SubscriptionQuery["queryStartTime"]>()
  expectTypeOf<"2026-03-10">().not.toExtend<Listing.SubscriptionQuery["queryStartTime"]>()
})
