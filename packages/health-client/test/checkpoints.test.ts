/** Lists of a sandbox that are read page by page, and resumed from checkpoints. */
import { FetchHttpClient, HttpClient } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { Checkpoint, Credential, HealthClient, type Listing, ResourceUri, SubscriptionId } from "@vigil/health-client"
import type { ApiVersion } from "@vigil/health-schema"
import { Faults, Reply, Sandbox } from "@vigil/sandbox"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { first, paged, restored, s1 } from "./pagedLists.js"
import { collect } from "./collect.js"

/** A sandbox with a client, and the number of requests. */
const start = Effect.gen(function* () {
  const { accessToken, baseUrl, world } = yield* Sandbox.make()
  const requests = yield* Ref.make(0)
  const http = HttpClient.tapRequest(yield* HttpClient.HttpClient, () => Ref.update(requests, (count) => count + 1))
  const client = yield* HealthClient.make({ baseUrl, credential: Credential.bearer(accessToken) }).pipe(
    Effect.provideService(HttpClient.HttpClient, http),
  )
  return { client, requests, world, subscription: SubscriptionId.make(world.subscriptions[0].id) }
})

const queryStartTime = "90 days" as const

/** All events of a subscription in the sandbox's world, whatever their age. */
const expected = (world: Sandbox.Service["world"], id: string, version: ApiVersion.ApiVersion) =>
  world.events
    .filter(({ subscriptions }) => subscriptions.includes(id))
    .filter(({ event }) => version === "2025-05-01" || event.properties?.eventType !== "Billing")
    .map(({ event }) => event.id)

const ids = (events: ReadonlyArray<{ readonly id?: string | null | undefined }>) => events.map(({ id }) => id)

describe.each(["2025-05-01", "2025-04-01"] as const)("version %s", (apiVersion) => {
  it.live("returns the same events as a stream, as pages, and from every checkpoint", () =>
    Effect.gen(function* () {
      const { client, subscription, world } = yield* start
      const all = expected(world, subscription, apiVersion)
      expect(all.length).toBeGreaterThan(200)
      const options = { apiVersion, queryStartTime }
      expect(ids(yield* collect(client.listBySubscription(subscription, options)))).toEqual(all)
      const pages = yield* collect(client.pagesBySubscription(subscription, options))
      expect(ids(pages.flatMap(({ items }) => items))).toEqual(all)
      expect(pages.length).toBeGreaterThan(4)
      for (const [index, { checkpoint }] of pages.entries()) {
        const from = yield* restored(checkpoint)
        expect(from).toEqual(checkpoint)
        expect(from).toMatchObject({ pages: index + 1, list: { scope: "subscription", id: subscription, apiVersion } })
        const before = pages.slice(0, index + 1).flatMap(({ items }) => items)
        const rest = yield* collect(client.pagesBySubscription(subscription, { ...options, from }))
        expect(ids([...before, ...rest.flatMap(({ items }) => items)])).toEqual(all)
      }
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )
})

/** A checkpoint of the list of `s1` with this URL of the next page. */
const checkpoint = (baseUrl: string, next: string): Checkpoint.Checkpoint => ({
  next: Option.some(next),
  pages: 1,
  items: 50,
  startedAt: DateTime.makeUnsafe(1_700_000_000_000),
  list: {
    baseUrl,
    vendor: "Vendor",
    scope: "subscription",
    id: "s1",
    apiVersion: "2025-05-01",
    filter: "",
    queryStartTime: "",
  },
})

describe("a checkpoint", () => {
  it.live("with a URL of another origin fails without a request", () =>
    Effect.gen(function* () {
      const { client, server } = yield* paged([[]])
      const foreign = yield* Faults.serve([Reply.page([{ name: "FOREIGN" }])])
      for (const next of [
        `${foreign.origin}/x`,
        `//${new URL(foreign.origin).host}/x`,
        "file:///etc/passwd",
        "http://",
      ]) {
        const from = checkpoint(server.origin, next)
        const error = yield* Effect.flip(collect(client.listBySubscription(s1, { from })))
        expect(error).toMatchObject({ _tag: "LinkRefused", operation: "HealthClient.listBySubscription" })
      }
      expect(yield* server.requests).toEqual([])
      expect(yield* foreign.bytes).toBe("")
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )

  it.effect("is plain JSON, and other JSON does not decode", () =>
    Effect.gen(function* () {
      const encoded = yield* Schema.encodeEffect(Checkpoint.Checkpoint)(
        checkpoint("https://health.example", "https://health.example/?$skipToken=2"),
      )
      expect(encoded).toEqual({
        next: "https://health.example/?$skipToken=2",
        pages: 1,
        items: 50,
        startedAt: 1_700_000_000_000,
        list: {
          baseUrl: "https://health.example",
          vendor: "Vendor",
          scope: "subscription",
          id: "s1",
          apiVersion: "2025-05-01",
          filter: "",
          queryStartTime: "",
        },
      })
      const decode = Schema.decodeUnknownEffect(Checkpoint.Checkpoint)
      for (const odd of [
        { ...encoded, next: 7 },
        { ...encoded, next: { reason: "odd", origin: "" } },
        { ...encoded, pages: -1 },
        { ...encoded, startedAt: "yesterday" },
        { ...encoded, list: { ...encoded.list, scope: "folder" } },
        { ...encoded, list: undefined },
        {},
        null,
      ])
        expect(yield* Effect.flip(decode(odd))).toMatchObject({ _tag: "SchemaError" })
      expect(yield* decode({ ...encoded, next: null })).toMatchObject({ next: Option.none() })
    }),
  )

  it.live("has the absolute URL of a relative link, after redirects", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([
        Reply.redirect(302, "/moved/here?x"),
        Reply.page([{ name: "A" }], "there?$skipToken=2"),
      ])
      const client = yield* HealthClient.make({ baseUrl: server.origin, credential: Credential.none })
      const { next } = yield* first(client.pagesBySubscription(s1))
      expect(next).toEqual(Option.some(`${server.origin}/moved/there?$skipToken=2`))
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )
})

describe("requests", () => {
  it.live("fetch one page for one event", () =>
    Effect.gen(function* () {
      const { client, requests, subscription, world } = yield* start
      const streams = [
        client.listBySubscription(subscription, { queryStartTime }),
        client.pagesBySubscription(subscription, { queryStartTime }),
        client.listByResource(ResourceUri.make(world.resources[0]?.uri ?? "")),
      ]
      for (const [index, stream] of streams.entries()) {
        expect(yield* Ref.get(requests)).toBe(index)
        expect(yield* collect(Stream.take<unknown, Listing.ListError, never>(stream, 1))).toHaveLength(1)
        expect(yield* Ref.get(requests)).toBe(index + 1)
      }
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )
})
