/** Tools about health events for a language model: a toolkit over `HealthClient` and `AvailabilityClient`. */
import type { AvailabilityClient } from "@vigil/health-client/AvailabilityClient"
import type { HealthClient } from "@vigil/health-client/HealthClient"
import type * as Layer from "effect/Layer"
import type * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Compare from "./internal/Compare.js"
import * as Handlers from "./internal/Handlers.js"
import * as ManyEvents from "./internal/ManyEvents.js"
import * as ManyResources from "./internal/ManyResources.js"
import * as OneEvent from "./internal/OneEvent.js"
import * as OneResource from "./internal/OneResource.js"
import type { Options } from "./internal/Scope.js"
import * as Summarize from "./internal/Summarize.js"

export type { NamedSubscription, Options } from "./internal/Scope.js"

/**
 * The tools, all read-only: `health_summary`, `health_events`, `health_event_details`, `health_impacted_resources`, `health_resources`,
 * `health_why`, `health_changes` and `health_subscriptions`. They fail with `HealthToolError`, whose message says what to do.
 * @category tools @since 0.2.0
 */
export const toolkit = Toolkit.make(
  Summarize.summarizeHealth.tool,
  ManyEvents.listEvents.tool,
  OneEvent.getEvent.tool,
  OneEvent.listImpactedResources.tool,
  ManyResources.listResources.tool,
  OneResource.explainResource.tool,
  Compare.compareSince.tool,
  ManyEvents.listSubscriptions.tool,
)

/** Provides the handlers of the toolkit. @category layers @since 0.2.0 */
export const layer = (
  options: Options = {},
): Layer.Layer<Tool.HandlersFor<Toolkit.Tools<typeof toolkit>>, never, AvailabilityClient | HealthClient> =>
  toolkit.toLayer(Handlers.make(options))
