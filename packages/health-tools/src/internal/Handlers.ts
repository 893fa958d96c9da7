/** The handlers of the tools. They share the sessions. */
import type { AvailabilityClient } from "@vigil/health-client/AvailabilityClient"
import type { HealthClient } from "@vigil/health-client/HealthClient"
import * as Effect from "effect/Effect"
import type { HealthToolError } from "../HealthToolError.js"
import * as Compare from "./Compare.js"
import * as ManyEvents from "./ManyEvents.js"
import * as ManyResources from "./ManyResources.js"
import * as OneEvent from "./OneEvent.js"
import * as OneResource from "./OneResource.js"
import * as Scope from "./Scope.js"
import type { Call } from "./Session.js"
import * as Session from "./Session.js"
import * as Summarize from "./Summarize.js"

export const make = Effect.fnUntraced(function* (options: Scope.Options) {
  const clients = yield* Effect.context<AvailabilityClient | HealthClient>()
  const scope = Scope.make(options)
  const current = Session.make(Math.max(1, options.concurrency ?? 8))
  const budget = Math.max(2000, options.budget ?? 8000)
  const makeCall = (deadline: number) =>
    Effect.map(current, (session): Call => ({ options, scope, session, budget, deadline }))
  const provide =
    <Given, A>(handle: (given: Given) => Effect.Effect<A, HealthToolError, AvailabilityClient | HealthClient>) =>
    (given: Given): Effect.Effect<A, HealthToolError> =>
      Effect.provideContext(handle(given), clients)
  return {
    health_summary: provide(Summarize.summarizeHealth.handler(makeCall)),
    health_events: provide(ManyEvents.listEvents.handler(makeCall)),
    health_event_details: provide(OneEvent.getEvent.handler(makeCall)),
    health_impacted_resources: provide(OneEvent.listImpactedResources.handler(makeCall)),
    health_resources: provide(ManyResources.listResources.handler(makeCall)),
    health_why: provide(OneResource.explainResource.handler(makeCall)),
    health_changes: provide(Compare.compareSince.handler(makeCall)),
    health_subscriptions: provide(ManyEvents.listSubscriptions.handler(makeCall)),
  }
})
