import { KeyValueStore } from "@effect/platform"
import { Alertmanager, Delivery, PagerDuty, Routes, Sinks, Slack, Teams, Webhook } from "@vigil/notify"
import { Credential } from "@vigil/core-http"
import { Effect, Redacted } from "effect"

/** Makes the delivery of a routes document. */
export const makeDelivery = (document: string) =>
  Effect.gen(function* () {
    const routes = yield* Routes.parse(document)
    // Reads the secrets, then calls the constructor of each type.
    const sinks = yield* Sinks.make(routes, {
      alertmanager: (name, { token, url }) =>
        Alertmanager.make({
          name,
          url: Redacted.value(url),
          credential: token === undefined ? Credential.none : Credential.bearer(token),
        }),
      pagerduty: (name, { routingKey, url }) => PagerDuty.make({ name, routingKey, url }),
      slack: (name, { url }) => Slack.make({ name, url }),
      teams: (name, { url }) => Teams.make({ name, url }),
      webhook: (name, { secret, url }) => Webhook.make({ name, secrets: [secret], url }),
    })
    return yield* Delivery.make({ sinks, routes, store: yield* KeyValueStore.KeyValueStore })
  })
