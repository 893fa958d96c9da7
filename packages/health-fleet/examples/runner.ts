import { FetchHttpClient } from "effect/http"
import { PgClient } from "@effect/sql-pg"
import { Connection, HealthClient } from "@vigil/health-client"
import { Fleet } from "@vigil/health-fleet"
import { Slack } from "@vigil/notify"
import { Config, Effect, Layer } from "effect"

const Database = PgClient.layerConfig({ url: Config.Redacted("VIGIL_DATABASE_URL") })

const concurrency = 8

const Client = HealthClient.layerConfig(
  Config.map(Connection.config, (options) => ({ ...options, concurrency, maxRetryAfter: "1 second" as const })),
)

/** One runner. Start it on several machines: they share the work. All together request at most 600 pages per minute. */
export const Runner = Layer.unwrap(
  Effect.gen(function* () {
    const slack = yield* Slack.make({ url: yield* Config.Redacted("SLACK_WEBHOOK_URL") })
    return Fleet.layer({ sinks: [slack], concurrency, rateLimit: { requests: 600, per: "1 minute" } })
  }),
).pipe(Layer.provide([Client, Database]), Layer.provide(FetchHttpClient.layer))
