/** Vigil with its defaults: decoding, spans, retries, limits and a credential. */
import * as Credential from "@vigil/core-http/Credential"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { layers } from "./layers.mjs"

/** The client, with further options in `settings`. */
export const make = ({ baseUrl, settings, token }) => {
  const credential = Credential.bearer(Effect.succeed(Redacted.make(token)))
  return HealthClient.make({ baseUrl, credential, vendor: "Microsoft", ...settings })
}

/** Reads a list. `consumer` is the time that a consumer takes per page, in milliseconds. Without one, a fold needs no effect per page. */
export const reading = ({ consumer = 0, layer, prefetch, subscription, ...options }, onPage) => {
  // The stream emits an empty chunk between two pages.
  const consume = (events) =>
    events.length === 0
      ? Effect.void
      : Effect.delay(
          Effect.sync(() => onPage(events)),
          consumer,
        )
  const read = (pages) =>
    consumer === 0 ? Stream.runFold(pages, undefined, (_, events) => onPage(events)) : Stream.runForEach(pages, consume)
  return make(options).pipe(
    Effect.flatMap((client) =>
      read(Stream.chunks(client.listBySubscription(SubscriptionId.make(subscription), { prefetch }))),
    ),
    Effect.scoped,
    Effect.provide(layers[layer]),
  )
}

export const read = (options, onPage) => Effect.runPromise(reading(options, onPage))
