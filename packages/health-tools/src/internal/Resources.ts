/** `list_impacted_resources`: the resources of a subscription that an event affects. */
import { HealthClient } from "@vigil/health-client/HealthClient"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Answer from "./Answer.js"
import * as Query from "./Query.js"
import * as quote from "./quote.js"
import * as Row from "./Row.js"

export const parameters = Schema.Struct({ ...Query.one, cursor: Answer.cursor })

const Resource = Schema.Struct({ id: Schema.String, type: Schema.String, region: Schema.String })

export const success = Answer.schema(
  { subscription: Schema.String, total: Schema.Finite, invalidEntries: Schema.Finite },
  Resource,
)

export const make = (options: Query.Options) =>
  Answer.paged(
    options.budget,
    Effect.fnUntraced(function* (given: Query.One) {
      const { event, subscription } = yield* Query.find(given, options)
      const { pagesOfImpactedResources } = yield* HealthClient
      const isSecurityAdvisory = OpenEnum.equals(event.properties?.eventType, "SecurityAdvisory")
      const query = { apiVersion: options.apiVersion, isSecurityAdvisory }
      const pages = yield* Effect.mapError(
        Stream.runCollect(pagesOfImpactedResources(subscription, given.trackingId, query)),
        Query.toolError,
      )
      const entries = pages.flatMap(({ items }) =>
        items.map(({ properties }) => ({
          id: quote.line(properties?.targetResourceId ?? "", 300),
          type: Row.name(properties?.targetResourceType),
          region: Row.name(properties?.targetRegion),
        })),
      )
      return { head: { subscription, total: entries.length, invalidEntries: Query.countInvalid(pages) }, entries }
    }),
  )
