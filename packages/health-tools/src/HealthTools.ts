/** Tools about health events for a language model: a toolkit over `HealthClient`. */
import type { HealthClient } from "@vigil/health-client/HealthClient"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import * as Toolkit from "effect/ai/Toolkit"
import type { HealthToolError } from "./HealthToolError.js"
import * as Compare from "./internal/Compare.js"
import * as ManyEvents from "./internal/ManyEvents.js"
import * as OneEvent from "./internal/OneEvent.js"
import type { Options } from "./internal/Query.js"

export type { Options } from "./internal/Query.js"

/**
 * The tools, all read-only: `summarize_health`, `list_events`, `get_event`, `list_impacted_resources` and `compare_since`. They fail with
 * `HealthToolError`, whose message says what to do.
 * @category tools @since 0.2.0
 */
export const toolkit = Toolkit.make(
  ManyEvents.summarizeHealth.tool,
  ManyEvents.listEvents.tool,
  OneEvent.getEvent.tool,
  OneEvent.listImpactedResources.tool,
  Compare.compareSince.tool,
)

/** Provides the handlers of the toolkit. @category layers @since 0.2.0 */
export const layer = (options: Options = {}) =>
  toolkit.toLayer(
    Effect.gen(function* () {
      const context = yield* Effect.context<HealthClient>()
      const permits = yield* Semaphore.make(Math.max(1, options.concurrency ?? 4))
      const make = <Given, A>(
        handler: (options: Options) => (given: Given) => Effect.Effect<A, HealthToolError, HealthClient>,
      ) => {
        const handle = handler(options)
        return (given: Given) => Effect.provideContext(Semaphore.withPermits(permits, 1)(handle(given)), context)
      }
      return toolkit.of({
        summarize_health: make(ManyEvents.summarizeHealth.handler),
        list_events: make(ManyEvents.listEvents.handler),
        get_event: make(OneEvent.getEvent.handler),
        list_impacted_resources: make(OneEvent.listImpactedResources.handler),
        compare_since: make(Compare.compareSince.handler),
      })
    }),
  )
