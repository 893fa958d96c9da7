/** Lists that are read page by page, and resumed from checkpoints. */
import { FetchHttpClient } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import {
  Checkpoint,
  Connection,
  Credential,
  Filter,
  HealthClient,
  type Listing,
  ResourceUri,
  TrackingId,
} from "@vigil/health-client"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { collect, pagesOf, s1, serve } from "./served.js"

const stored = Schema.fromJsonString(Checkpoint.Checkpoint)

/** Encodes and decodes a checkpoint, as a store does. */
const restored = (checkpoint: Checkpoint.Checkpoint) =>
  Effect.flatMap(Schema.encodeEffect(stored)(checkpoint), Schema.decodeEffect(stored))

/** The checkpoint after the first page, as stored. */
const first = <E>(pages: Stream.Stream<{ readonly checkpoint: Checkpoint.Checkpoint }, E>) =>
  Effect.flatMap(Stream.runHead(pages), (page) => restored(Option.getOrThrow(page).checkpoint))

/** The items of pages. */
const itemsOf = <A, E>(pages: Stream.Stream<Listing.Page<A>, E>) =>
  Effect.map(collect(pages), (all) => all.flatMap(({ items }) => items))

const [A, B] = [{ name: "A" }, { name: "B" }]

describe("a checkpoint", () => {
  it.live("of each page resumes after it, also with another spelling of the base URL and the filter", () =>
    Effect.gen(function* () {
      const { client, server } = yield* serve(pagesOf([A, A], [], [B], [A]))
      const pages = yield* collect(client.pagesBySubscription(s1, { filter: Filter.eq("service", "A") }))
      const all = pages.flatMap(({ items }) => items)
      expect(yield* collect(client.listBySubscription(s1))).toEqual(all)
      const connection = yield* Connection.make({ baseUrl: `${server.origin}//`, credential: Credential.none })
      const again = HealthClient.make(connection)
      for (const { checkpoint } of pages) {
        const options = { from: yield* restored(checkpoint), filter: Filter.raw("service eq 'A'") }
        const rest = yield* collect(again.pagesBySubscription(s1, options))
        expect(rest.flatMap(({ items }) => items)).toEqual(all.slice(checkpoint.items))
        expect(rest.at(-1)?.checkpoint ?? checkpoint).toEqual(pages.at(-1)?.checkpoint)
      }
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )

  it.live("resumes the other lists, also if the first request was a POST", () =>
    Effect.gen(function* () {
      const { client, server } = yield* serve(pagesOf([A], [B]))
      const advisory = { isSecurityAdvisory: true }
      type From = Checkpoint.Checkpoint | undefined
      const lists: ReadonlyArray<(from?: From) => Stream.Stream<Listing.Page<unknown>, unknown>> = [
        (from) => client.pagesByResource(ResourceUri.make("/a/b"), { from }),
        (from) => client.pagesByTenant({ from }),
        (from) => client.pagesOfImpactedResources(s1, TrackingId.make("E1"), { ...advisory, from }),
      ]
      for (const list of lists) expect(yield* itemsOf(list(yield* first(list())))).toEqual([B])
      const sent = (yield* server.requests).map(
        ({ method, target }) => method + (target.includes("page=") ? " next" : ""),
      )
      expect(sent).toEqual(["GET", "GET next", "GET", "GET next", "POST", "GET next"])
    }),
  )

  it.live("in a PageLimit resumes after the limit", () =>
    Effect.gen(function* () {
      const { client } = yield* serve(pagesOf([A], [B]))
      const error = yield* Effect.flip(Stream.runDrain(client.listBySubscription(s1, { maxPages: 1 })))
      if (error._tag !== "PageLimit") return expect(error).toBe("a PageLimit")
      const from = yield* restored(error.checkpoint)
      expect(yield* itemsOf(client.pagesBySubscription(s1, { from }))).toEqual([B])
    }),
  )

  it.effect("keeps a relative start time", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2024, 0, 2))
      const [old, young] = ["2024-01-01T08:00:00Z", "2024-01-01T13:00:00Z"].map((lastUpdateTime) => ({
        properties: { lastUpdateTime },
      }))
      const { client } = yield* serve(pagesOf([old, young], [young, old]))
      const options = { queryStartTime: "12 hours" } as const
      const from = yield* first(client.pagesBySubscription(s1, options))
      expect(from).toMatchObject({ items: 1, list: { queryStartTime: "2024-01-01T12:00:00.000Z" } })
      yield* TestClock.adjust("3 days")
      expect(yield* itemsOf(client.pagesBySubscription(s1, { ...options, from }))).toEqual([young])
    }),
  )

  it.live("has the absolute URL of a relative link, after redirects", () =>
    Effect.gen(function* () {
      const { client, server } = yield* serve([
        Reply.redirect(302, "/moved/here?x"),
        Reply.page([A], "there?$skipToken=2"),
      ])
      const { next } = yield* first(client.pagesBySubscription(s1))
      expect(next).toBe(`${server.origin}/moved/there?$skipToken=2`)
    }),
  )

  it.live("with a URL of another origin fails without a request", () =>
    Effect.gen(function* () {
      const { client, server } = yield* serve(pagesOf([A], []))
      const foreign = yield* Faults.serve([Reply.page([])])
      const from = yield* first(client.pagesBySubscription(s1))
      const { host } = new URL(foreign.origin)
      for (const next of [`${foreign.origin}/x`, `//${host}/x`, "file:///etc/passwd", "http://"]) {
        const pages = client.pagesBySubscription(s1, { from: { ...from, next } })
        expect(yield* Effect.flip(collect(pages))).toMatchObject({ reason: { _tag: "Link" } })
      }
      expect(yield* server.requests).toHaveLength(1)
      expect(yield* foreign.bytes).toBe("")
    }),
  )

  it.effect("is plain JSON", () =>
    Effect.gen(function* () {
      const list = { vendor: "V", scope: "subscription", id: "s1", apiVersion: "x", filter: "", queryStartTime: "" }
      const encoded = { next: "https://a.example/?b", pages: 1, items: 50, startedAt: 1_700_000_000_000 }
      const json = { ...encoded, list: { ...list, baseUrl: "https://a.example" } }
      const decode = Schema.decodeUnknownEffect(Checkpoint.Checkpoint)
      expect(yield* Schema.encodeEffect(Checkpoint.Checkpoint)(yield* decode(json))).toEqual(json)
      expect(yield* decode({ ...json, next: null })).toMatchObject({ next: undefined })
    }),
  )
})

it.live.each(["baseUrl", "vendor", "scope", "id", "apiVersion", "filter", "queryStartTime"])(
  "a checkpoint of another list fails before any request: %s",
  (field) =>
    Effect.gen(function* () {
      const value = field === "scope" ? "tenant" : "b"
      const { client, server } = yield* serve(pagesOf([A], [B]))
      const from = yield* first(client.pagesBySubscription(s1))
      const changed = { ...from, list: { ...from.list, [field]: value } }
      // The checkpoint of a completed list is checked as well.
      for (const each of [changed, { ...changed, next: undefined }]) {
        const error = yield* Effect.flip(collect(client.pagesBySubscription(s1, { from: each })))
        expect(error).toMatchObject({ _tag: "CheckpointMismatch", field, actual: value })
      }
      expect(yield* server.requests).toHaveLength(1)
    }),
)
