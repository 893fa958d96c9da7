import { FetchHttpClient } from "effect/http"
import { PgClient } from "@effect/sql-pg"
import { HealthClient } from "@vigil/health-client"
import { Fleet } from "@vigil/health-fleet"
import { Slack } from "@vigil/notify"
import { Config, Effect, Layer } from "effect"

const Database = PgClient.layerConfig({ url: Config.Redacted("VIGIL_DATABASE_URL") })

/** One runner. Start it on several machines: they share the work. All together request at most 600 pages per minute. */
export const Runner = Layer.unwrap(
  Effect.gen(function* () {
    const slack = yield* Slack.make({ url: yield* Config.Redacted("SLACK_WEBHOOK_URL") })
    return Fleet.layer({ sinks: [slack], rateLimit: { requests: 600, per: "1 minute" } })
  }),
).pipe(Layer.provide([HealthClient.layerConfig(), Database]), Layer.provide(FetchHttpClient.layer))
