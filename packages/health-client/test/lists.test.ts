/** Requests of lists, byte by byte, and the events that lists leave out. */
import { describe, expect, it } from "@effect/vitest"
import {
  ApiVersion,
  Filter,
  HealthClient,
  Listing,
  QueryStartTime,
  ResourceUri,
  SubscriptionId,
  TrackingId,
} from "@vigil/health-client"
import { Reply } from "@vigil/sandbox"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { collect, s1, serve } from "./served.js"

const path = "/providers/Vendor.ResourceHealth/events"
const newest = `?api-version=${ApiVersion.defaultVersion}`
const e1 = TrackingId.make("E1")
const options = {
  apiVersion: ApiVersion.other("a b&c"),
  filter: Filter.eq("region", "a&b=c#d?e+f'"),
  queryStartTime: QueryStartTime.raw("yesterday & more"),
}
const query =
  "?api-version=a%20b%26c&$filter=region%20eq%20%27a%26b%3Dc%23d%3Fe%2Bf%27%27%27&queryStartTime=yesterday%20%26%20more"

const bySubscription = (id: string, segment: string) =>
  [
    `GET /subscriptions/${segment}${path}${newest}`,
    (client: HealthClient.Service) => client.listBySubscription(SubscriptionId.make(id)),
  ] as const
const byResource = (uri: string, segments: string) =>
  [
    `GET /${segments}${path}${newest}`,
    (client: HealthClient.Service) => client.listByResource(ResourceUri.make(uri)),
  ] as const
/** At the start of 1 March 2024. */
const startingAt = (queryStartTime: QueryStartTime.QueryStartTime, text: string) =>
  [
    `GET /subscriptions/s1${path}${newest}&queryStartTime=${text}`,
    (client: HealthClient.Service) => client.listBySubscription(s1, { queryStartTime }),
  ] as const

it.effect.each<readonly [string, (client: HealthClient.Service) => Stream.Stream<unknown, unknown>]>([
  bySubscription("a'b@c:d", "a'b%40c%3Ad"),
  bySubscription("zürich", "z%C3%BCrich"),
  bySubscription("a+b&c=d", "a%2Bb%26c%3Dd"),
  bySubscription("...", "..."),
  bySubscription('<"`{|}^>', "%3C%22%60%7B%7C%7D%5E%3E"),
  byResource("/subscriptions/s1/resourceGroups/my group", "subscriptions/s1/resourceGroups/my%20group"),
  byResource("subscriptions/s1/x", "subscriptions/s1/x"),
  byResource("/ä/b+c", "%C3%A4/b%2Bc"),
  [`GET /subscriptions/s1${path}${query}`, (client) => client.listBySubscription(s1, options)],
  [`GET ${path}${query}`, (client) => client.pagesByTenant(options)],
  [`GET /subscriptions/s1${path}/E1/impactedResources${newest}`, (client) => client.pagesOfImpactedResources(s1, e1)],
  [
    `POST /subscriptions/s1${path}/E1/listSecurityAdvisoryImpactedResources${newest}`,
    (client) => client.pagesOfImpactedResources(s1, e1, { isSecurityAdvisory: true }),
  ],
  startingAt(DateTime.makeUnsafe("2020-07-24T13:45:00Z"), "7%2F24%2F2020"),
  // The day in UTC, in any zone of the instant.
  startingAt(DateTime.makeZonedUnsafe("2020-07-24T23:30:00Z", { timeZone: "Pacific/Auckland" }), "7%2F24%2F2020"),
  startingAt(new Date("2020-12-01T00:00:00Z"), "12%2F1%2F2020"),
  startingAt(Duration.millis(1), "2%2F29%2F2024"),
  startingAt(Duration.infinity, "1%2F1%2F1970"),
  startingAt("30 days", "1%2F31%2F2024"),
  startingAt({ hours: 36 }, "2%2F28%2F2024"),
])("requests %s", ([request, list]) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.UTC(2024, 2, 1))
    const { client, server } = yield* serve([Reply.page([])])
    yield* Stream.runDrain(list(client))
    const sent = (yield* server.requests).map(({ body, headers, method, target }) => [
      `${method} ${target}`,
      body,
      headers["authorization"],
    ])
    expect(sent).toEqual([[request, "", "Bearer token"]])
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
  { error: { code: "Busy", message: "Wait." } },
  { "odata.error": { code: "Busy", message: { value: "Wait." } } },
  { code: "Busy", message: "Wait." },
])("a page fails with an error beside its value: %j", (error) =>
  Effect.gen(function* () {
    const { client } = yield* serve([Reply.json({ value: [], ...error })])
    const reason = { _tag: "Decode", code: "Busy", detail: "Wait." }
    expect(yield* Effect.flip(collect(client.listBySubscription(s1)))).toMatchObject({ reason })
  }),
)

describe("a start time within a day", () => {
  const entryAt = (name: string, lastUpdateTime?: string | null) => ({ name, properties: { lastUpdateTime } })
  const [before, after] = [entryAt("before", "2024-03-01T11:59:59.9999999Z"), entryAt("after", "2024-03-02T00:00:00Z")]
  const entries = [
    entryAt("noon", "2024-03-01T12:00:00Z"),
    before,
    entryAt("zoned", "2024-03-01T11:30:00-01:00"),
    entryAt("without a zone", "2024-03-01T12:00:01"),
    entryAt("the year 1", "0001-01-01T00:00:00"),
    entryAt("no time", ""),
    { name: "no properties" },
    after,
  ]

  it.effect("leaves out earlier events, and keeps those without an update time", () =>
    Effect.gen(function* () {
      const { listBySubscription } = yield* HealthClient.HealthClient
      const namesOf = (queryStartTime: QueryStartTime.QueryStartTime) =>
        Effect.map(collect(listBySubscription(s1, { queryStartTime })), (events) => events.map(({ name }) => name))
      const all = entries.map(({ name }) => name)
      const expected = all.filter((name) => name !== "before")
      yield* TestClock.setTime(Date.UTC(2024, 2, 2))
      expect(yield* namesOf(DateTime.makeUnsafe("2024-03-01T12:00:00Z"))).toEqual(expected)
      expect(yield* namesOf("12 hours")).toEqual(expected)
      expect(yield* namesOf(QueryStartTime.raw("3/2/2024"))).toEqual(all)
      // Relative to the run, not to the creation of the stream.
      yield* TestClock.adjust("12 hours")
      expect(yield* namesOf("12 hours")).not.toContain("noon")
    }).pipe(Effect.provide(HealthClient.layerTest({ subscriptions: { s1: entries } }))),
  )

  it.effect("keeps the positions of invalid entries, and counts what it leaves out", () =>
    Effect.gen(function* () {
      const { pagesBySubscription } = yield* HealthClient.HealthClient
      const pages = yield* collect(pagesBySubscription(s1, { queryStartTime: new Date("2024-03-01T12:00:00Z") }))
      expect(pages.map(({ older }) => older)).toEqual([2])
      const order: Array<unknown> = []
      yield* Stream.fromIterable(pages).pipe(
        Listing.items({ onInvalid: ({ raw }) => Effect.sync(() => order.push(raw)) }),
        Stream.runForEach(({ name }) => Effect.sync(() => order.push(name))),
      )
      expect(order).toEqual([1, 2, "after", 3, 4])
    }).pipe(Effect.provide(HealthClient.layerTest({ subscriptions: { s1: [1, before, 2, after, 3, before, 4] } }))),
  )
})

it.effect("cuts the tracking ID of an invalid event to 200 characters", () =>
  Effect.gen(function* () {
    const { listBySubscription } = yield* HealthClient.HealthClient
    const error = yield* Effect.flip(Stream.runDrain(listBySubscription(s1)))
    expect(error).toMatchObject({ _tag: "InvalidEvent", trackingId: `${"x".repeat(199)}…` })
  }).pipe(
    Effect.provide(HealthClient.layerTest({ subscriptions: { s1: [{ name: "x".repeat(500), properties: 1 }] } })),
  ),
)

it.live(
  "follows links whose cursors are not UTF-8, or differ only in an encoded character that means something else",
  () =>
    Effect.gen(function* () {
      const cursors = ["%E4", "%F6", "a+b", "a%2Bb", "a%26b"]
      const { client, server } = yield* serve(({ target }, index) =>
        Reply.page(
          [{ name: target.split("t=")[1] ?? "first" }],
          index < cursors.length ? `?t=${cursors[index]}` : null,
        ),
      )
      const events = yield* collect(client.listBySubscription(s1))
      expect(events.map(({ name }) => name)).toEqual(["first", ...cursors])
      expect(yield* server.requests).toHaveLength(6)
    }),
)
