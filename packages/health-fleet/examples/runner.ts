import { FetchHttpClient } from "effect/http"
import { PgClient } from "@effect/sql-pg"
import { HealthClient } from "@vigil/health-client"
import { Fleet, RateLimit } from "@vigil/health-fleet"
import { Slack } from "@vigil/notify"
import { Config, Effect, Layer } from "effect"

const Database = PgClient.layerConfig({ url: Config.Redacted("VIGIL_DATABASE_URL") })

// All runners together send at most 600 requests per minute.
const Health = HealthClient.layerConfig().pipe(Layer.provide(RateLimit.layer({ requests: 600, per: "1 minute" })))

/** One runner. Start it on several machines: they share the work. */
export const runner = Effect.gen(function* () {
  const slack = yield* Slack.make({ url: yield* Config.Redacted("SLACK_WEBHOOK_URL") })
  return yield* Fleet.run({ sinks: [slack] })
}).pipe(
  Effect.scoped,
  Effect.provide(Health.pipe(Layer.provideMerge(Database), Layer.provideMerge(FetchHttpClient.layer))),
)
