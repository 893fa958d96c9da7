/** The events that lists leave out, and the order of the others. */
import { FetchHttpClient } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { Credential, HealthClient, QueryStartTime, SubscriptionId, TrackingId, Watch } from "@vigil/health-client"
import type { HealthEvent } from "@vigil/health-schema"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { collect, withClient } from "./collect.js"

const s1 = SubscriptionId.make("s1")

const entryAt = (name: string, lastUpdateTime?: string | null) => ({ name, properties: { lastUpdateTime } })

/** Runs with a client of a service that lists these entries with this page size. */
const listing = <A, E>(
  entries: ReadonlyArray<unknown>,
  run: (client: HealthClient.Service) => Effect.Effect<A, E>,
  pageSize?: number,
) =>
  Effect.flatMap(HealthClient.HealthClient, run).pipe(
    Effect.provide(HealthClient.layerTest({ subscriptions: { s1: entries }, pageSize })),
  )

const names = (events: ReadonlyArray<HealthEvent.HealthEvent>) => events.map(({ name }) => name)

describe("a start time within a day", () => {
  const entries = [
    entryAt("noon", "2024-03-01T12:00:00Z"),
    entryAt("before", "2024-03-01T11:59:59.9999999Z"),
    entryAt("zoned", "2024-03-01T11:30:00-01:00"),
    entryAt("without a zone", "2024-03-01T12:00:01"),
    entryAt("the year 1", "0001-01-01T00:00:00"),
    entryAt("no time", ""),
    entryAt("null", null),
    { name: "no properties" },
    entryAt("after", "2024-03-02T00:00:00Z"),
  ]

  it.effect.each([
    ["an instant", DateTime.makeUnsafe("2024-03-01T12:00:00Z")],
    ["a duration", "12 hours"],
  ] as const)("%s leaves out earlier events, and keeps events without an update time", ([, queryStartTime]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2024, 2, 2))
      const events = yield* listing(entries, (client) => collect(client.listBySubscription(s1, { queryStartTime })))
      expect(names(events)).toEqual([
        "noon",
        "zoned",
        "without a zone",
        "the year 1",
        "no time",
        "null",
        "no properties",
        "after",
      ])
    }),
  )

  it.effect("is resolved when the list is run, not when it is created", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2024, 2, 1))
      yield* listing(entries, (client) =>
        Effect.gen(function* () {
          const list = collect(client.listBySubscription(s1, { queryStartTime: "1 hour" }))
          expect(names(yield* list)).toContain("noon")
          yield* TestClock.setTime(Date.UTC(2024, 2, 1, 14))
          expect(names(yield* list)).not.toContain("noon")
        }),
      )
    }),
  )

  it.effect("leaves out no events if it is raw text", () =>
    Effect.gen(function* () {
      const events = yield* listing(entries, (client) =>
        collect(client.listBySubscription(s1, { queryStartTime: QueryStartTime.raw("3/2/2024") })),
      )
      expect(events).toHaveLength(entries.length)
    }),
  )

  it.effect("keeps the positions of invalid events", () =>
    Effect.gen(function* () {
      const order: Array<unknown> = []
      const mixed = [
        1,
        entryAt("a", "2024-03-01T11:00:00Z"),
        2,
        entryAt("b", "2024-03-01T13:00:00Z"),
        3,
        entryAt("c", "2024-03-01T10:00:00Z"),
        4,
      ]
      yield* listing(mixed, (client) =>
        Stream.runForEach(
          client.listBySubscription(s1, {
            queryStartTime: DateTime.makeUnsafe("2024-03-01T12:00:00Z"),
            onInvalid: ({ raw }) => Effect.sync(() => order.push(raw)),
          }),
          ({ name }) => Effect.sync(() => order.push(name)),
        ),
      )
      expect(order).toEqual([1, 2, "b", 3, 4])
    }),
  )
})

describe("a page with many invalid events", () => {
  it.effect("is read in linear time", () =>
    Effect.gen(function* () {
      const entries = Array.from({ length: 20_000 }, (_, n) =>
        n % 2 === 0 ? entryAt(`E${n}`, "2024-03-01T12:00:00Z") : n,
      )
      let invalid = 0
      const queryStartTime = DateTime.makeUnsafe("2024-03-01T12:00:00Z")
      const onInvalid = () => Effect.sync(() => (invalid += 1))
      const events = yield* listing(
        entries,
        (client) => collect(client.listBySubscription(s1, { queryStartTime, onInvalid })),
        20_000,
      )
      expect([events.length, invalid]).toEqual([10_000, 10_000])
    }),
  )
})

it.effect.each(["", "..", "a/b", "\ud800"])("the vendor %j is an invalid setting", (vendor) =>
  Effect.gen(function* () {
    const made = HealthClient.make({ baseUrl: "https://health.example", credential: Credential.none, vendor })
    expect(yield* Effect.flip(made)).toMatchObject({ _tag: "InvalidSetting", setting: "vendor" })
  }).pipe(Effect.provide(FetchHttpClient.layer)),
)

describe("find", () => {
  it.effect("fails at its page limit", () =>
    Effect.gen(function* () {
      const entries = ["a", "b", "c"].map((name) => entryAt(name))
      const find = (maxPages: number) =>
        listing(entries, (client) => client.find(s1, TrackingId.make("d"), { maxPages }), 1)
      expect(yield* find(3)).toMatchObject({ _tag: "None" })
      expect(yield* Effect.flip(find(2))).toMatchObject({ _tag: "PageLimit", allowed: 2 })
      const watched = yield* listing(
        entries,
        (client) => Stream.runDrain(Watch.watch(s1, { maxPages: 2 }).pipe(withClient(client))).pipe(Effect.flip),
        1,
      )
      expect(watched).toMatchObject({ _tag: "PageLimit", allowed: 2 })
    }),
  )
})
