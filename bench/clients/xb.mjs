import * as Credential from "@vigil/core-http/Credential"
import * as ServiceClient from "@vigil/core-http/ServiceClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { layers } from "./layers.mjs"
export const read = ({ baseUrl, layer, token, url }, onPage) => Effect.gen(function* () {
  const client = yield* ServiceClient.make({ baseUrl, credential: Credential.bearer(Redacted.make(token)) })
  let next = url
  while (next !== "") { const p = yield* client.get({ operation: "x", url: next, decode: (j) => Either.right(j) }); onPage(p.value); next = p.nextLink }
}).pipe(Effect.provide(layers[layer]), Effect.runPromise)
