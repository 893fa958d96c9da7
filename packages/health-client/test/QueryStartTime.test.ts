import { describe, expect, it } from "@effect/vitest"
import { TestHttpClient } from "@vigil/core-http"
import {
  Credential,
  HealthClient,
  type InvalidQuery,
  type Listing,
  QueryStartTime,
  SubscriptionId,
  TrackingId,
  Sweep,
} from "@vigil/health-client"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { expectTypeOf } from "vitest"
import { collect, withClient } from "./collect.js"

const invalid = [
  "",
  " ",
  "3",
  "d",
  "30 dogs",
  "3M",
  "-3d",
  "-3 days",
  "3 months",
  "3d 2h",
  "9999999d",
  "yesterday",
  "0001-01-01",
  "2026-02-30",
  "2026-13-01",
  "13/6/2025",
  "2/30/2025",
  "0/1/2025",
  "1/2/25",
  "7%2F24%2F2020",
  "Infinity",
] as const

describe("a start time as a text", () => {
  it.each([
    ["30s", Duration.seconds(30)],
    ["90m", Duration.minutes(90)],
    ["90 min", Duration.minutes(90)],
    ["12h", Duration.hours(12)],
    ["2 Hours", Duration.hours(2)],
    ["3d", Duration.days(3)],
    [" 30 days ", Duration.days(30)],
    ["2 weeks", Duration.weeks(2)],
    ["1.5 hours", Duration.minutes(90)],
    ["500 millis", Duration.millis(500)],
    ["0h", Duration.zero],
  ] as const)("%j is a duration", (text, duration) => {
    expect(QueryStartTime.parse(text)).toEqual(Option.some(duration))
    expect(QueryStartTime.parseDuration(text)).toEqual(Option.some(duration))
  })

  it.each([
    ["2026-03-10", "2026-03-10T00:00:00.000Z"],
    ["2026-03-10T12:30", "2026-03-10T12:30:00.000Z"],
    ["2026-03-10 12:30:15", "2026-03-10T12:30:15.000Z"],
    ["2026-03-10T12:30:00+05:30", "2026-03-10T07:00:00.000Z"],
    ["3/10/2026", "2026-03-10T00:00:00.000Z"],
    ["03/10/2026", "2026-03-10T00:00:00.000Z"],
    ["2/29/2024", "2024-02-29T00:00:00.000Z"],
  ] as const)("%j is an instant, in UTC without a zone", (text, iso) => {
    expect(QueryStartTime.parse(text)).toEqual(Option.some(DateTime.unsafeMake(iso)))
    expect(QueryStartTime.parseDuration(text)).toEqual(Option.none())
  })

  it.each(invalid)("%j is invalid", (text) => {
    expect(QueryStartTime.parse(text)).toEqual(Option.none())
  })
})

const id = SubscriptionId.make("s1")

/** A client, and the start times that it sends. */
const start = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2024, 2, 1))
  const sent = yield* Ref.make<ReadonlyArray<string | null>>([])
  const client = yield* HealthClient.make({ baseUrl: "https://health.test", credential: Credential.none }).pipe(
    Effect.provide(
      TestHttpClient.layer(({ url }) =>
        Effect.as(
          Ref.update(sent, (all) => [...all, url.searchParams.get("queryStartTime")]),
          { json: { value: [] } },
        ),
      ),
    ),
  )
  return { client, sent }
})

describe("queryStartTime", () => {
  it.scoped("accepts every form, and sends the day in UTC", () =>
    Effect.gen(function* () {
      const { client, sent } = yield* start
      for (const queryStartTime of ["30d", "1 day", "2024-01-31", "1/31/2024", Duration.days(1)])
        yield* collect(client.listBySubscription(id, { queryStartTime }))
      expect(yield* sent).toEqual(["1/31/2024", "2/29/2024", "1/31/2024", "1/31/2024", "2/29/2024"])
    }),
  )

  it.scoped("sends raw text unchanged", () =>
    Effect.gen(function* () {
      const { client, sent } = yield* start
      yield* collect(client.listBySubscription(id, { queryStartTime: QueryStartTime.raw("yesterday & more") }))
      expect(yield* sent).toEqual(["yesterday & more"])
    }),
  )

  it.scoped.each(invalid)("%j fails every operation with InvalidQuery, before any request", (queryStartTime) =>
    Effect.gen(function* () {
      const { client, sent } = yield* start
      const options = { queryStartTime }
      const errors = yield* Effect.all([
        Effect.flip(Stream.runDrain(client.listBySubscription(id, options))),
        Effect.flip(Stream.runDrain(client.pagesBySubscription(id, options))),
        Effect.flip(client.find(id, TrackingId.make("a"), options)),
      ])
      const expected = { _tag: "InvalidQuery", parameter: "queryStartTime", value: queryStartTime, retryable: false }
      expect(errors).toMatchObject([
        { ...expected, operation: "HealthClient.listBySubscription" },
        { ...expected, operation: "HealthClient.pagesBySubscription" },
        { ...expected, operation: "HealthClient.find" },
      ])
      expect(yield* Stream.runHead(Sweep.sweep([id], options).pipe(withClient(client)))).toMatchObject(
        Option.some({ _tag: "Failed", error: { _tag: "InvalidQuery" } }),
      )
      expect(yield* sent).toEqual([])
    }),
  )

  it.scoped("has an error message with valid examples", () =>
    Effect.gen(function* () {
      const { client } = yield* start
      const { message } = yield* Effect.flip(collect(client.listBySubscription(id, { queryStartTime: "30 dogs" })))
      expect(message).toContain(
        'HealthClient.listBySubscription: queryStartTime "30 dogs" is neither a date nor a duration.',
      )
      expect(message).toContain("QueryStartTime.raw")
    }),
  )

  it("has InvalidQuery in the error types", () => {
    expectTypeOf<InvalidQuery.InvalidQuery>().toExtend<Listing.PagesError>()
    expectTypeOf<InvalidQuery.InvalidQuery["retryable"]>().toEqualTypeOf<boolean>()
    // @ts-expect-error -- a number has no unit
    expectTypeOf<Listing.SubscriptionQuery>({ queryStartTime: 3 }).toBeObject()
  })
})
