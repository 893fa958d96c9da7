import * as Credential from "@vigil/core-http/Credential"
import * as ServiceClient from "@vigil/core-http/ServiceClient"
import * as EventsPage from "@vigil/health-schema/EventsPage"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { layers } from "./layers.mjs"
const decode = EventsPage.decode("2025-05-01")
export const read = ({ baseUrl, layer, token, url }, onPage) => Effect.gen(function* () {
  const client = yield* ServiceClient.make({ baseUrl, credential: Credential.bearer(Redacted.make(token)) })
  let next = url
  while (next !== "") { const p = yield* client.get({ operation: "x", url: next, decode }); onPage(p.items); next = Option.getOrElse(p.nextLink, () => "") }
}).pipe(Effect.provide(layers[layer]), Effect.runPromise)
