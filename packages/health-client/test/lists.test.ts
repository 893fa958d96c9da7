/** Requests of lists, byte by byte, and the events that lists leave out. */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { describe, expect, it } from "@effect/vitest"
import {
  ApiVersion,
  Credential,
  Filter,
  HealthClient,
  Listing,
  QueryStartTime,
  ResourceUri,
  SubscriptionId,
  TrackingId,
} from "@vigil/health-client"
import { Faults, Reply } from "@vigil/sandbox"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { collect } from "./collect.js"

/** The targets of the requests of a call. */
const targets = (call: (client: HealthClient.Service) => Stream.Stream<unknown, unknown>) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve([Reply.page([])])
    const credential = Credential.bearer(Redacted.make("token"))
    const client = yield* HealthClient.make({ baseUrl: `${server.origin}/`, credential })
    yield* Stream.runDrain(call(client))
    const requests = yield* server.requests
    expect(requests.map(({ body, headers }) => [body, headers["authorization"]])).toEqual([["", "Bearer token"]])
    return requests.map(({ method, target }) => `${method} ${target}`).join()
  }).pipe(Effect.provide(FetchHttpClient.layer))

const path = "/providers/Vendor.ResourceHealth/events"
const newest = "?api-version=2025-05-01"
const s1 = SubscriptionId.make("s1")

it.effect.each([
  ["0b1f-77", "0b1f-77"],
  ["s 1", "s%201"],
  ["a'b@c:d", "a'b%40c%3Ad"],
  ["zürich", "z%C3%BCrich"],
  ["a+b&c=d", "a%2Bb%26c%3Dd"],
  ["...", "..."],
  ['<"`{|}^>', "%3C%22%60%7B%7C%7D%5E%3E"],
] as const)("the subscription %j is one path segment", ([id, segment]) =>
  Effect.gen(function* () {
    expect(yield* targets((client) => client.listBySubscription(SubscriptionId.make(id)))).toBe(
      `GET /subscriptions/${segment}${path}${newest}`,
    )
  }),
)

it.each(["", ".", "..", "a/b", "a\\b", "a?b", "a#b", "a%2e", "a\nb", "a\u0000", "\ud800"])(
  "%j is not an ID",
  (text) => {
    expect(() => SubscriptionId.make(text)).toThrow()
    expect(() => TrackingId.make(text)).toThrow()
    if (text !== "a/b") expect(() => ResourceUri.make(`/a/${text}/b`)).toThrow()
  },
)

it.effect.each([
  ["/subscriptions/s1/resourceGroups/my group", "/subscriptions/s1/resourceGroups/my%20group"],
  ["subscriptions/s1/x", "/subscriptions/s1/x"],
  ["/ä/b+c", "/%C3%A4/b%2Bc"],
] as const)("the resource %s keeps its segments after one slash", ([uri, expected]) =>
  Effect.gen(function* () {
    expect(yield* targets((client) => client.listByResource(ResourceUri.make(uri)))).toBe(
      `GET ${expected}${path}${newest}`,
    )
  }),
)

it.effect("the list of impacted resources of a security advisory is a POST", () =>
  Effect.gen(function* () {
    const id = TrackingId.make("E1")
    expect(yield* targets((client) => client.pagesOfImpactedResources(s1, id))).toBe(
      `GET /subscriptions/s1${path}/E1/impactedResources${newest}`,
    )
    const advisory = { isSecurityAdvisory: true }
    expect(yield* targets((client) => client.pagesOfImpactedResources(s1, id, advisory))).toBe(
      `POST /subscriptions/s1${path}/E1/listSecurityAdvisoryImpactedResources${newest}`,
    )
  }),
)

it.effect("the version, filter and start time stay in their parameters", () =>
  Effect.gen(function* () {
    const options = {
      apiVersion: ApiVersion.other("a b&c"),
      filter: Filter.eq("region", "a&b=c#d?e+f'"),
      queryStartTime: QueryStartTime.raw("yesterday & more"),
    }
    const query =
      "?api-version=a%20b%26c&$filter=region%20eq%20%27a%26b%3Dc%23d%3Fe%2Bf%27%27%27&queryStartTime=yesterday%20%26%20more"
    expect(yield* targets((client) => client.listBySubscription(s1, options))).toBe(
      `GET /subscriptions/s1${path}${query}`,
    )
    expect(yield* targets((client) => client.pagesByTenant(options))).toBe(`GET ${path}${query}`)
  }),
)

const starts: ReadonlyArray<readonly [QueryStartTime.QueryStartTime, string]> = [
  [DateTime.makeUnsafe("2020-07-24T13:45:00Z"), "7%2F24%2F2020"],
  // The day in UTC, in any zone of the instant.
  [DateTime.makeZonedUnsafe("2020-07-24T23:30:00Z", { timeZone: "Pacific/Auckland" }), "7%2F24%2F2020"],
  [new Date("2020-12-01T00:00:00Z"), "12%2F1%2F2020"],
  // The clock is at the start of 1 March 2024.
  [Duration.millis(1), "2%2F29%2F2024"],
  [Duration.infinity, "1%2F1%2F1970"],
  ["30 days", "1%2F31%2F2024"],
  [{ hours: 36 }, "2%2F28%2F2024"],
]

it.effect.each(starts)("the start time %s is sent as %s", ([queryStartTime, expected]) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.UTC(2024, 2, 1))
    expect(yield* targets((client) => client.listBySubscription(s1, { queryStartTime }))).toBe(
      `GET /subscriptions/s1${path}${newest}&queryStartTime=${expected}`,
    )
  }),
)

describe("a start time within a day", () => {
  const entryAt = (name: string, lastUpdateTime?: string | null) => ({ name, properties: { lastUpdateTime } })
  const entries = [
    entryAt("noon", "2024-03-01T12:00:00Z"),
    entryAt("before", "2024-03-01T11:59:59.9999999Z"),
    entryAt("zoned", "2024-03-01T11:30:00-01:00"),
    entryAt("without a zone", "2024-03-01T12:00:01"),
    entryAt("the year 1", "0001-01-01T00:00:00"),
    entryAt("no time", ""),
    { name: "no properties" },
    entryAt("after", "2024-03-02T00:00:00Z"),
  ]
  const all = entries.map(({ name }) => name)

  const namesOf = (queryStartTime: QueryStartTime.QueryStartTime) =>
    Effect.gen(function* () {
      const { listBySubscription } = yield* HealthClient.HealthClient
      return (yield* collect(listBySubscription(s1, { queryStartTime }))).map(({ name }) => name)
    }).pipe(Effect.provide(HealthClient.layerTest({ subscriptions: { s1: entries } })))

  it.effect("leaves out earlier events, and keeps those without an update time", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2024, 2, 2))
      const expected = all.filter((name) => name !== "before")
      expect(yield* namesOf(DateTime.makeUnsafe("2024-03-01T12:00:00Z"))).toEqual(expected)
      expect(yield* namesOf("12 hours")).toEqual(expected)
      expect(yield* namesOf(QueryStartTime.raw("3/2/2024"))).toEqual(all)
      // Relative to the run, not to the creation of the stream.
      yield* TestClock.adjust("12 hours")
      expect(yield* namesOf("12 hours")).not.toContain("noon")
    }),
  )

  it.effect("keeps the positions of invalid entries, and counts what it leaves out", () =>
    Effect.gen(function* () {
      const { pagesBySubscription } = yield* HealthClient.HealthClient
      const queryStartTime = new Date("2024-03-01T12:00:00Z")
      const pages = yield* collect(pagesBySubscription(s1, { queryStartTime }))
      expect(pages.map(({ older }) => older)).toEqual([2])
      const order: Array<unknown> = []
      yield* Stream.fromIterable(pages).pipe(
        Listing.items({ onInvalid: ({ raw }) => Effect.sync(() => order.push(raw)) }),
        Stream.runForEach(({ name }) => Effect.sync(() => order.push(name))),
      )
      expect(order).toEqual([1, 2, "after", 3, 4])
    }).pipe(
      Effect.provide(
        HealthClient.layerTest({ subscriptions: { s1: [1, entries[1], 2, entries.at(-1), 3, entries[1], 4] } }),
      ),
    ),
  )
})
