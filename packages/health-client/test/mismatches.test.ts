/** Checkpoints of other lists. */
import { FetchHttpClient } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import {
  QueryStartTime,
  type Checkpoint,
  Credential,
  Filter,
  HealthClient,
  type Listing,
  ResourceUri,
  SubscriptionId,
  Sweep,
} from "@vigil/health-client"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { first, paged, restored, s1 } from "./pagedLists.js"
import { collect, withClient } from "./collect.js"

describe("queryStartTime", () => {
  const old = { name: "OLD", properties: { lastUpdateTime: "2024-01-01T08:00:00Z" } }
  const young = { name: "YOUNG", properties: { lastUpdateTime: "2024-01-01T13:00:00Z" } }

  it.effect("leaves older events out, and counts them", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2024, 0, 2))
      const { client } = yield* paged([[old, young], [old]])
      const options = { queryStartTime: "12 hours" } as const
      const pages = yield* collect(client.pagesBySubscription(s1, options))
      expect(pages.map(({ items, older }) => [items.length, older])).toEqual([
        [1, 1],
        [0, 1],
      ])
      expect(yield* collect(withClient(client)(Sweep.sweep([s1], options)))).toMatchObject([
        { events: [young], older: 2 },
      ])
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )

  it.effect("as a duration is relative to the start of the list, also when the list is resumed", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2024, 0, 2))
      const { client, server } = yield* paged([
        [old, young],
        [young, old],
      ])
      const options = { queryStartTime: "12 hours" } as const
      const from = yield* restored(yield* first(client.pagesBySubscription(s1, options)))
      expect(from).toMatchObject({ items: 1, list: { queryStartTime: "2024-01-01T12:00:00.000Z" } })
      yield* TestClock.adjust("3 days")
      expect(yield* collect(client.listBySubscription(s1, { ...options, from }))).toEqual([young])
      expect((yield* server.requests).map(({ target }) => target.includes("page=1"))).toEqual([false, true])
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )
})

describe("a checkpoint of another list", () => {
  const resource = "/subscriptions/s1/resourceGroups/shop"

  it.live.each([
    [
      "another subscription",
      "id",
      "s2",
      "s1",
      (client, from) => client.listBySubscription(SubscriptionId.make("s2"), { from }),
    ],
    [
      "a resource",
      "scope",
      "resource",
      "subscription",
      (client, from) => client.listByResource(ResourceUri.make(resource), { from }),
    ],
    [
      "a filter",
      "filter",
      "service eq 'A'",
      "",
      (client, from) => client.pagesBySubscription(s1, { from, filter: Filter.service("A") }),
    ],
    [
      "a start",
      "queryStartTime",
      "7/24/2020",
      "",
      (client, from) => client.listBySubscription(s1, { from, queryStartTime: QueryStartTime.raw("7/24/2020") }),
    ],
    [
      "another version",
      "apiVersion",
      "2025-04-01",
      "2025-05-01",
      (client, from) => client.pagesBySubscription(s1, { from, apiVersion: "2025-04-01" }),
    ],
  ] satisfies ReadonlyArray<
    readonly [
      string,
      string,
      string,
      string,
      (client: HealthClient.Service, from: Checkpoint.Checkpoint) => Stream.Stream<unknown, Listing.ListError>,
    ]
  >)("fails with CheckpointMismatch before any request: %s", ([, field, expected, actual, resume]) =>
    Effect.gen(function* () {
      const { client, server } = yield* paged([[{ name: "A" }], [{ name: "B" }]])
      const from = yield* first(client.pagesBySubscription(s1))
      // The checkpoint of a completed list is checked as well.
      for (const stored of [from, { ...from, next: Option.none() }]) {
        const error = yield* Effect.flip(Stream.runDrain<unknown, Listing.ListError, never>(resume(client, stored)))
        expect(error).toMatchObject({ _tag: "CheckpointMismatch", field, expected, actual, retryable: false })
      }
      expect(yield* server.requests).toHaveLength(1)
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )

  it.live.each([
    ["baseUrl", { baseUrl: "http://localhost:9" }],
    ["vendor", { vendor: "Microsoft" }],
  ] as const)("fails with CheckpointMismatch for a client with another %s", ([field, options]) =>
    Effect.gen(function* () {
      const { client, server } = yield* paged([[{ name: "A" }], [{ name: "B" }]])
      const from = yield* first(client.pagesBySubscription(s1))
      const other = yield* HealthClient.make({ baseUrl: server.origin, credential: Credential.none, ...options })
      const error = yield* Effect.flip(collect(other.listBySubscription(s1, { from })))
      expect(error).toMatchObject({ _tag: "CheckpointMismatch", field })
      expect(error.message).not.toContain("service")
      expect(yield* server.requests).toHaveLength(1)
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )

  it.live("fails with a message that has the difference and the advice", () =>
    Effect.gen(function* () {
      const { client } = yield* paged([[{ name: "A" }], [{ name: "B" }]])
      const from = yield* first(client.pagesBySubscription(s1))
      const error = yield* Effect.flip(collect(client.listBySubscription(s1, { from, filter: "a" })))
      expect(error.message).toBe(
        'HealthClient.listBySubscription: the checkpoint belongs to another list: its filter is "", not "a". Pass the options that the list was started with, or omit from to start over.',
      )
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )
})

it.live("a checkpoint matches equivalent spellings of its list", () =>
  Effect.gen(function* () {
    const { client, server } = yield* paged([[{ name: "A" }], [{ name: "B" }]])
    const filtered = yield* first(client.pagesBySubscription(s1, { filter: Filter.service("A") }))
    const text = { from: filtered, filter: "service eq 'A'" }
    expect(yield* collect(client.listBySubscription(s1, text))).toEqual([{ name: "B" }])
    const unfiltered = yield* first(client.pagesBySubscription(s1, { filter: "" }))
    expect(yield* collect(client.listBySubscription(s1, { from: unfiltered }))).toEqual([{ name: "B" }])
    const resource = yield* first(client.pagesByResource(ResourceUri.make("/a/b")))
    const again = yield* HealthClient.make({ baseUrl: `${server.origin}//`, credential: Credential.none })
    expect(yield* collect(again.listByResource(ResourceUri.make("a/b"), { from: resource }))).toEqual([{ name: "B" }])
  }).pipe(Effect.provide(FetchHttpClient.layer)),
)
