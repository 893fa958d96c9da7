/** Ours, as its README shows it: checked, in spans, with retries, limits and a credential. */
import * as Credential from "@vigil/core-http/Credential"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { layers } from "./layers.mjs"

/** The client of a base address and a token; `settings` are the client's own. */
export const make = ({ baseUrl, settings, token }) => {
  const credential = Credential.bearer(Effect.succeed(Redacted.make(token)))
  return HealthClient.make({ baseUrl, credential, vendor: "Microsoft", ...settings })
}

/** The reading of a list over one of the HTTP clients; a consumer may take its time with each page, in milliseconds. */
export const reading = ({ consumer = 0, layer, prefetch, spans = true, subscription, ...options }, onPage) => {
  const consume = (events) => {
    const counted = Effect.sync(() => onPage(events))
    // Between two pages there is an empty chunk, which is no work for anybody.
    return consumer === 0 || events.length === 0 ? counted : Effect.delay(counted, consumer)
  }
  return make(options).pipe(
    Effect.flatMap((client) =>
      Stream.runForEachChunk(client.listBySubscription(SubscriptionId.make(subscription), { prefetch }), consume),
    ),
    Effect.withTracerEnabled(spans),
    Effect.provide(layers[layer]),
  )
}

export const read = (options, onPage) => Effect.runPromise(reading(options, onPage))
