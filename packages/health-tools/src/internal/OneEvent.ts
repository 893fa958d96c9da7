/** The tools that read one event: `health_event_details` and `health_impacted_resources`. */
import { HealthClient } from "@vigil/health-client/HealthClient"
import * as Listing from "@vigil/health-client/Listing"
import type { Owner } from "@vigil/health-client/Tenant"
import { TrackingId } from "@vigil/health-client/TrackingId"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type { ImpactedResource } from "@vigil/health-schema/ImpactedResource"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Sensitive from "@vigil/health-schema/Sensitive"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Subject from "@vigil/health-verdict/Subject"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
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
    subscription: optionalText,
    /** If the list of the tenant has it. */
    scope: Schema.optionalKey(Schema.Literal("tenant")),
    quotedId: Schema.String,
    quotedType: Schema.String,
    quotedRegion: Schema.String,
  }),
) {}

export const listImpactedResources = Answer.define({
  name: "health_impacted_resources",
  title: "List impacted resources",
  description: "Lists the resources that an event affects, by each subscription and tenant that has it.",
  parameters: Query.One,
  head: Impacted,
  entry: Resource,
  read: Effect.fnUntraced(function* (call, given) {
    const { pagesOfImpactedResources } = yield* HealthClient
    const { found, hints, outcomes, ...facts } = yield* Query.find(call, given)
    const { apiVersion } = call.options
    const isSecurityAdvisory = OpenEnum.equals(found?.event.properties?.eventType, "SecurityAdvisory")
    const id = Schema.decodeUnknownOption(TrackingId)(found?.event.name)
    const read = (owner: Owner): Effect.Effect<Listing.Collected<ImpactedResource, string>> =>
      Option.isNone(id)
        ? Effect.succeed({ items: [], invalid: [], older: 0, problem: "The event has no valid tracking ID." })
        : Listing.collect(pagesOfImpactedResources(owner, id.value, { apiVersion, isSecurityAdvisory }), (list) =>
            attempt(call, owner, list),
          )
    const subjects: ReadonlyArray<Subject.Subject> = found?.subscriptions ?? []
    const readings = yield* Effect.forEach(
      // Emerging issues name no resources.
      subjects.filter((one): one is Owner => Subject.isSubscription(one) || one._tag === "Tenant"),
      (owner) => Effect.map(read(owner), (list) => ({ ...list, owner })),
      { concurrency: "unbounded" },
    )
    const ofTenant = readings.find(({ owner }) => !Subject.isSubscription(owner))
    const listed = readings.flatMap(({ invalid, items, owner, problem }) =>
      Subject.isSubscription(owner)
        ? [{ subscription: owner, invalid: invalid.length, valid: items.length, problem, items }]
        : [],
    )
    const keyOf = ({ properties }: ImpactedResource) => ResourceId.key(properties?.targetResourceId ?? "")
    const keys = new Set(listed.flatMap(({ items }) => items.map(keyOf)))
    const others = ofTenant?.items.filter((one) => !keys.has(keyOf(one))) ?? []
    const row = ({ properties }: ImpactedResource) => ({
      quotedId: quote.line(properties?.targetResourceId ?? "", 300),
      quotedType: quote.name(properties?.targetResourceType),
      quotedRegion: quote.name(properties?.targetRegion),
    })
    const entries = [
      ...listed.flatMap(({ items, subscription }) =>
        items.map((one) => ({ subscription: call.scope.label(subscription), ...row(one) })),
      ),
      ...others.map((one) => ({ scope: "tenant" as const, ...row(one) })),
    ]
    const invalidOfTenant = ofTenant?.invalid.length ?? 0
    const problemOfTenant =
      ofTenant?.problem ?? (invalidOfTenant === 0 ? undefined : `${invalidOfTenant} entries could not be read`)
    const withoutEvent = outcomes.filter(({ subscription }) => !listed.some((one) => one.subscription === subscription))
    const head = Head.make(call, {
      ...facts,
      outcomes: [...listed, ...withoutEvent],
      hints: found !== undefined && readings.length === 0 ? [...hints, "Emerging issues name no resources."] : hints,
      gaps: [
        ...facts.gaps,
        ...(problemOfTenant === undefined
          ? []
          : [`Not all resources were read (not of the tenant: ${problemOfTenant}).`]),
      ],
    })
    const isKnown = head.status !== "unknown" && readings.some(({ problem }) => problem === undefined)
    return {
      head: {
        ...head,
        ...(isKnown ? { total: entries.length } : { status: "unknown" as const }),
        withEvent: quote.names(
          subjects.map((one) => (Subject.isSubscription(one) ? call.scope.label(one) : Subject.label(one))),
          call.budget / 8,
        ),
      },
      entries,
    }
  }),
})
