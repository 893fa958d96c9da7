/** A runner in a process of its own, with the built packages: `node runner.mjs '{"url":…}'`. */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Credential, Retry } from "@vigil/core-http"
import { Connection, HealthClient } from "@vigil/health-client"
import { Fleet } from "@vigil/health-fleet"
import { Webhook } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

const { baseUrl, connections, options, sinks, token, url } = JSON.parse(process.argv[2])

const client = HealthClient.layer.pipe(
  Layer.provide(Connection.layer({ baseUrl, credential: Credential.bearer(Redacted.make(token)) })),
  Layer.provideMerge(FetchHttpClient.layer),
)
const database = PgClient.layer({ url: Redacted.make(url), maxConnections: connections })

const runner = Effect.gen(function* () {
  const webhooks = yield* Effect.forEach(sinks, ({ name, secret, url }) =>
    Webhook.make({
      name,
      secrets: [Redacted.make(secret)],
      url: Redacted.make(url),
      retry: Retry.none,
      timeout: "5 seconds",
    }),
  )
  return Fleet.layer({ ...options, sinks: webhooks })
})

NodeRuntime.runMain(Layer.launch(Layer.unwrap(runner).pipe(Layer.provide(Layer.merge(client, database)))))
