/** Vigil with its defaults: decoding, spans, retries, limits and a credential. */
import * as Credential from "@vigil/core-http/Credential"
import * as Connection from "@vigil/health-client/Connection"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { layers } from "./layers.mjs"

/** The connection, with further options in `settings`. */
export const connect = ({ baseUrl, settings, token }) => {
  const credential = Credential.bearer(Effect.succeed(Redacted.make(token)))
  return Connection.make({ baseUrl, credential, vendor: "Microsoft", ...settings })
}

/** The client of a connection of its own. */
export const make = (options) => Effect.map(connect(options), HealthClient.make)

/** Reads a list. A fold needs no effect per page. */
export const reading = ({ layer, subscription, ...options }, onPage) =>
  make(options).pipe(
    Effect.flatMap((client) =>
      Stream.runFold(
        Stream.chunks(client.listBySubscription(SubscriptionId.make(subscription))),
        () => undefined,
        (_, events) => onPage(events),
      ),
    ),
    Effect.scoped,
    Effect.provide(layers[layer]),
  )

export const read = (options, onPage) => Effect.runPromise(reading(options, onPage))
