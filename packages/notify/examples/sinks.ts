import { FetchHttpClient } from "effect/http"
import { Alertmanager, Credential, type Notification, PagerDuty, Retry, Teams, Webhook } from "@vigil/notify"
import { Config, Effect } from "effect"

const makeSinks = Effect.gen(function* () {
  const teams = yield* Teams.make({ url: yield* Config.Redacted("TEAMS_WEBHOOK_URL") })
  const pagerDuty = yield* PagerDuty.make({
    routingKey: yield* Config.Redacted("PAGERDUTY_ROUTING_KEY"),
    // For an account in the EU.
    url: "https://events.eu.pagerduty.com/v2/enqueue",
  })
  const alertmanager = yield* Alertmanager.make({
    url: "https://alertmanager.example/",
    credential: Credential.bearer(yield* Config.Redacted("ALERTMANAGER_TOKEN")),
    labels: { environment: "production" },
  })
  const webhook = yield* Webhook.make({
    url: yield* Config.Redacted("WEBHOOK_URL"),
    // To rotate the secret, sign with both until the receiver knows the new one.
    secrets: [yield* Config.Redacted("WEBHOOK_SECRET"), yield* Config.Redacted("WEBHOOK_OLD_SECRET")],
    retry: Retry.exponential("1 second", 5),
    maxRetryAfter: "5 minutes",
    totalTimeout: "15 minutes",
  })
  return [teams, pagerDuty, alertmanager, webhook]
})

/** Delivers a notification to all targets. A failing target does not stop the others. */
export const deliverToAll = (notification: Notification.Notification) =>
  Effect.gen(function* () {
    const sinks = yield* makeSinks
    yield* Effect.forEach(
      sinks,
      ({ deliver, name }) =>
        Effect.catch(deliver(notification), (error) =>
          Effect.logError(`${name}: ${error.message}`, { isFinal: !error.isRetryable }),
        ),
      { concurrency: "unbounded" },
    )
  }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
