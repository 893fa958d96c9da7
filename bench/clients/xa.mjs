import * as HttpClient from "@effect/platform/HttpClient"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { layers } from "./layers.mjs"
export const read = ({ layer, token, url }, onPage) => Effect.gen(function* () {
  const client = yield* HttpClient.HttpClient
  const f = (a) => client.get(a).pipe(Effect.flatMap(r => r.json), Effect.map((p) => [Chunk.unsafeFromArray(p.value), p.nextLink === "" ? Option.none() : Option.some(p.nextLink)]))
  yield* Stream.runForEachChunk(Stream.paginateChunkEffect(url, f), (events) => Effect.sync(() => onPage(events)))
}).pipe(Effect.provide(layers[layer]), Effect.runPromise)
