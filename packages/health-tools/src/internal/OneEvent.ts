/** The tools that read one event: `get_event` and `list_impacted_resources`. */
import { HealthClient } from "@vigil/health-client/HealthClient"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Sensitive from "@vigil/health-schema/Sensitive"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Answer from "./Answer.js"
import * as Query from "./Query.js"
import * as Row from "./Row.js"
import * as quote from "./quote.js"

/** A longer text continues in the next entry. */
const maxLength = 1500

const split = (kind: string, html: string | null | undefined, updatedAt = "") =>
  quote.pieces(html ?? "", maxLength).map((quotedText) => ({ kind, updatedAt, quotedText }))

/** The updates, newest first. Services repeat an update in each region. */
const updatesOf = ({ properties }: HealthEvent.AnyEvent) => {
  const all = (properties?.impact ?? []).flatMap(({ impactedRegions, impactedService }) =>
    (impactedRegions ?? []).flatMap(({ impactedRegion, updates }) =>
      (updates ?? []).map(({ summary, updateDateTime }) => ({
        place: `${quote.name(impactedService)} in ${quote.name(impactedRegion)}`,
        summary,
        at: updateDateTime,
      })),
    ),
  )
  const same = Object.values(Arr.groupBy(all, ({ at, summary }) => `${at} ${summary}`)).filter(Predicate.isNotUndefined)
  return Arr.sortWith(same, ([{ at }]) => at, Timestamp.latestFirst).flatMap((updates) => {
    const places = quote.names(updates.map(({ place }) => place)).join(", ")
    return split(`update on ${places}`, updates[0].summary, updates[0].at ?? "")
  })
}

export const getEvent = Answer.define({
  name: "get_event",
  description: "Returns one event with its texts, updates newest first.",
  parameters: Query.one,
  head: { event: Schema.Record(Schema.String, Schema.Unknown), withheldTexts: Schema.Array(Schema.String) },
  entry: Schema.Struct({ kind: Schema.String, updatedAt: Schema.String, quotedText: Schema.String }),
  read: Effect.fnUntraced(function* (given, options) {
    const found = yield* Query.find(given, options)
    const { description, summary } = found.event.properties ?? {}
    return {
      head: { event: Row.make(found), withheldTexts: Sensitive.withheldTexts(found.event) },
      entries: [...split("summary", summary), ...split("description", description), ...updatesOf(found.event)],
    }
  }),
})

export const listImpactedResources = Answer.define({
  name: "list_impacted_resources",
  description: "Lists the resources that an event affects.",
  parameters: Query.one,
  head: { subscription: Schema.String, total: Schema.Finite, invalidEntries: Schema.Finite },
  entry: Schema.Struct({ id: Schema.String, type: Schema.String, region: Schema.String }),
  read: Effect.fnUntraced(function* (given, options) {
    const { pagesOfImpactedResources } = yield* HealthClient
    const { event, subscriptions } = yield* Query.find(given, options)
    const [subscription] = subscriptions
    const isSecurityAdvisory = OpenEnum.equals(event.properties?.eventType, "SecurityAdvisory")
    const query = { apiVersion: options.apiVersion, isSecurityAdvisory }
    const pages = yield* Effect.mapError(
      Stream.runCollect(pagesOfImpactedResources(subscription, given.trackingId, query)),
      Query.toolError,
    )
    const entries = pages.flatMap(({ items }) =>
      items.map(({ properties }) => ({
        id: quote.line(properties?.targetResourceId ?? "", 300),
        type: quote.name(properties?.targetResourceType),
        region: quote.name(properties?.targetRegion),
      })),
    )
    return { head: { subscription, total: entries.length, invalidEntries: Query.countInvalid(pages) }, entries }
  }),
})
