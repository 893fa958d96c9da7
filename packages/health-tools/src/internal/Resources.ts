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

export const parameters = Schema.Struct({ ...Query.one, cursor: Answer.cursorParameter })

const Resource = Schema.Struct({ id: Schema.String, type: Schema.String, region: Schema.String })

export const success = Schema.Struct({
  subscription: Schema.String,
  total: Schema.Finite,
  resources: Schema.Array(Resource),
  ...Answer.fields,
})

export const handle = Effect.fnUntraced(function* (given: typeof parameters.Type, options: Query.Options) {
  const start = yield* Answer.offset(given.cursor)
  const { event, subscription } = yield* Query.find(given, options)
  const { pagesOfImpactedResources } = yield* HealthClient
  const isSecurityAdvisory = OpenEnum.equals(event.properties?.eventType, "SecurityAdvisory")
  const pages = yield* Stream.runCollect(
    pagesOfImpactedResources(subscription, given.trackingId, {
      apiVersion: options.apiVersion,
      isSecurityAdvisory,
    }),
  ).pipe(Effect.mapError(Query.toolError))
  const resources = pages.flatMap(({ items }) =>
    items.map(({ properties }) => ({
      id: quote.line(properties?.targetResourceId ?? "", 300),
      type: Row.name(properties?.targetResourceType),
      region: Row.name(properties?.targetRegion),
    })),
  )
  return Answer.from(resources, start, options.budget, (part, more) => ({
    subscription,
    total: resources.length,
    resources: part,
    ...more,
  }))
})
