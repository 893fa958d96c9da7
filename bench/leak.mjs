import * as Paging from "@vigil/paging/Paging"
import * as Page from "@vigil/paging/Page"
import * as Stream from "effect/Stream"
import * as Effect from "effect/Effect"
import * as Chunk from "effect/Chunk"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as Credential from "@vigil/core-http/Credential"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
let last, alive = 0, n = 0
const look = async () => { await new Promise(r => setTimeout(r, 5)); gc(); if (last !== undefined) { n++; if (last.deref() !== undefined) alive++ } }
const test = async (name, make) => {
  last = undefined; alive = 0; n = 0
  await Effect.runPromise(make)
  console.log(name, "alive", alive, "of", n)
}
const next = (c) => Effect.promise(async () => { await look(); const items = Array.from({length: 100}, (_, i) => ({ i, c })); last = new WeakRef(items[0]); return c < 8 ? Page.withNext(items, c + 1) : Page.last(items) })
const noop = () => Effect.void
await test("Paging.pages", Stream.runForEach(Paging.pages({ first: 1, next }), noop))
await test("Paging.items", Stream.runForEachChunk(Paging.items({ first: 1, next }), noop))
await test("flatMap", Stream.runForEachChunk(Stream.flatMap(Paging.pages({ first: 1, next }), p => Stream.concat(Stream.fromChunk(Chunk.unsafeFromArray(p.items)), Stream.fromChunk(Chunk.empty()))), noop))
await test("concatMapChunks", Stream.runForEachChunk(Stream.mapChunks(Paging.pages({ first: 1, next }), Chunk.flatMap(p => Chunk.unsafeFromArray(p.items))), noop))
const client = HttpClient.make((request, url) => Effect.promise(async () => { await look(); const p = Number(new URL(url).searchParams.get("p") ?? 0); return HttpClientResponse.fromWeb(request, new Response(JSON.stringify({ value: Array.from({length:100},(_, i)=>({ id: p+"/"+i })), nextLink: p < 8 ? `?p=${p+1}` : "" }))) }))
const health = await HealthClient.make({ baseUrl: "http://localhost", credential: Credential.none }).pipe(Effect.provideService(HttpClient.HttpClient, client), Effect.runPromise)
const seen = events => Effect.sync(() => { const [first] = events; if (first) last = new WeakRef(first) })
await test("list", Stream.runForEachChunk(health.listBySubscription(SubscriptionId.make("s")), seen))
await test("list each", Stream.runForEach(health.listBySubscription(SubscriptionId.make("s")), e => Effect.sync(() => { last = new WeakRef(e) })))
await test("pages", Stream.runForEach(health.pagesBySubscription(SubscriptionId.make("s")), p => Effect.sync(() => { last = new WeakRef(p.items[0]) })))
await test("list prefetch", Stream.runForEachChunk(health.listBySubscription(SubscriptionId.make("s"), {prefetch: 1}), seen))
