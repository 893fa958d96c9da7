/** The tools that read one event: `health_event_details` and `health_impacted_resources`. */
import { HealthClient } from "@vigil/health-client/HealthClient"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import { TrackingId } from "@vigil/health-client/TrackingId"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Sensitive from "@vigil/health-schema/Sensitive"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Answer from "./Answer.js"
import * as Head from "./Head.js"
import * as Query from "./Query.js"
import * as Row from "./Row.js"
import { attempt } from "./Session.js"
import * as Time from "./Time.js"
import * as quote from "./quote.js"

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
  return Arr.sortWith(same, ([{ at }]) => at, Timestamp.latestFirst).map((updates) => ({
    kind: "update",
    html: updates[0].summary,
    updated: Time.ofService(updates[0].at),
    places: updates.map(({ place }) => place),
  }))
}

const optionalText = Schema.optionalKey(Schema.String)

export class Details extends Schema.Opaque<Details>()(
  Schema.Struct({
    event: Schema.optionalKey(Row.Row),
    withheldTexts: Schema.optionalKey(Schema.Array(Schema.String)),
  }),
) {}

export class Text extends Schema.Opaque<Text>()(
  Schema.Struct({
    kind: Schema.String,
    updated: optionalText,
    quotedPlaces: Schema.optionalKey(Schema.Array(Schema.String)),
    quotedText: Schema.String,
  }),
) {}

export const getEvent = Answer.define({
  name: "health_event_details",
  title: "Get an event",
  description: "Returns one event with its regions and texts, updates newest first.",
  parameters: Query.One,
  head: Details,
  entry: Text,
  read: Effect.fnUntraced(function* (call, given) {
    const { found, ...facts } = yield* Query.find(call, given)
    const head = Head.make(call, facts)
    if (found === undefined) return { head: { ...head, status: "unknown" as const }, entries: [] }
    const { description, summary } = found.event.properties ?? {}
    const texts = [
      { kind: "summary", html: summary, updated: undefined, places: [] },
      { kind: "description", html: description, updated: undefined, places: [] },
      ...updatesOf(found.event),
    ]
    return {
      head: {
        ...head,
        event: Row.make(found, call.scope, call.budget / 5),
        withheldTexts: Sensitive.withheldTexts(found.event),
      },
      // A longer text continues in the next entry.
      entries: texts.flatMap(({ html, kind, places, updated }) =>
        quote.pieces(html ?? "", Math.min(1500, call.budget / 6)).map((quotedText) => ({
          kind,
          ...(updated === undefined ? {} : { updated }),
          ...(places.length === 0 ? {} : { quotedPlaces: quote.names(places, 200) }),
          quotedText,
        })),
      ),
    }
  }),
})

export class Impacted extends Schema.Opaque<Impacted>()(
  Schema.Struct({ total: Schema.optionalKey(Schema.Finite), withEvent: Schema.Array(Schema.String) }),
) {}

export class Resource extends Schema.Opaque<Resource>()(
  Schema.Struct({
    subscription: Schema.String,
    quotedId: Schema.String,
    quotedType: Schema.String,
    quotedRegion: Schema.String,
  }),
) {}

export const listImpactedResources = Answer.define({
  name: "health_impacted_resources",
  title: "List impacted resources",
  description: "Lists the resources that an event affects, in each subscription that has the event.",
  parameters: Query.One,
  head: Impacted,
  entry: Resource,
  read: Effect.fnUntraced(function* (call, given) {
    const { pagesOfImpactedResources } = yield* HealthClient
    const { found, outcomes, ...facts } = yield* Query.find(call, given)
    const { apiVersion } = call.options
    const isSecurityAdvisory = OpenEnum.equals(found?.event.properties?.eventType, "SecurityAdvisory")
    const read = (subscription: SubscriptionId) =>
      Effect.flatMap(Schema.decodeUnknownEffect(TrackingId)(found?.event.name), (id) =>
        Stream.runCollect(pagesOfImpactedResources(subscription, id, { apiVersion, isSecurityAdvisory })),
      )
    const readings = yield* Effect.forEach(
      found?.subscriptions ?? [],
      (subscription) =>
        Effect.map(attempt(call, subscription, read(subscription)), (result) => ({ subscription, result })),
      { concurrency: "unbounded" },
    )
    const entries = readings.flatMap(({ result, subscription }) =>
      Result.getOrElse(result, () => []).flatMap(({ items }) =>
        items.map(({ properties }) => ({
          subscription: call.scope.label(subscription),
          quotedId: quote.line(properties?.targetResourceId ?? "", 300),
          quotedType: quote.name(properties?.targetResourceType),
          quotedRegion: quote.name(properties?.targetRegion),
        })),
      ),
    )
    const listed = readings.map(({ result, subscription }): Head.Outcome =>
      Result.match(result, {
        onFailure: (problem) => ({ subscription, invalid: 0, valid: 0, problem }),
        onSuccess: (pages) => ({
          subscription,
          invalid: Query.countInvalid(pages),
          valid: pages.reduce((sum, { items }) => sum + items.length, 0),
        }),
      }),
    )
    const others = outcomes.filter(({ subscription }) => !listed.some((one) => one.subscription === subscription))
    const head = Head.make(call, { ...facts, outcomes: [...listed, ...others] })
    const isKnown = head.status !== "unknown" && listed.some(({ problem }) => problem === undefined)
    return {
      head: {
        ...head,
        ...(isKnown ? { total: entries.length } : { status: "unknown" as const }),
        withEvent: quote.names(
          listed.map(({ subscription }) => call.scope.label(subscription)),
          call.budget / 8,
        ),
      },
      entries,
    }
  }),
})
