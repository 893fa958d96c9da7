/** The operations of the health events API: its router and its OpenAPI document are made of them (document, "Endpoints"). */
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as ErrorBody from "@vigil/health-schema/ErrorResponse"
import * as EventsPage from "@vigil/health-schema/EventsPage"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { World, WorldEvent } from "../World.js"
import { type ErrorResponse, fail } from "./errorResponse.js"
import * as filters from "./filter.js"
import * as errors from "./healthErrors.js"
import * as operation from "./operation.js"
import { page } from "./page.js"
import { pathOf } from "./router.js"
import * as startTime from "./startTime.js"
import { inFull, inList, type Shown } from "./view.js"

/** What every operation is answered from. */
export interface Context {
  readonly world: World
  readonly version: ApiVersion.Known
  /** Where the API is served, for links. */
  readonly baseUrl: string
  /** How many events a page has. */
  readonly pageSize: number
  /** Whether the token has the right to details. */
  readonly details: boolean
}

/** The tags of the document. */
export const tags = { events: "Health events of subscriptions and resources." }

/** The status codes that every operation may be refused with. */
export const commonErrors = [400, 401] as const

/** The name of the parameter that every request has (document, "Versioning"). */
export const versionParameter = "api-version"

/** Any error response. */
export const Failure = Schema.Union(ErrorBody.ErrorResponse, ErrorBody.Nested).annotations({
  identifier: "Error",
})

/** The success bodies in every version. */
const bodies = (vendor: string) => ({
  Page: Schema.Union(...ApiVersion.all.map((version) => EventsPage.schema(version, { vendor }))),
  Event: Schema.Union(...ApiVersion.all.map((version) => HealthEvent.schema(version, { vendor }))),
})

const optional = (description: string): operation.Parameter => ({ schema: Schema.String, required: false, description })

const version: operation.Parameter = {
  schema: ApiVersion.Known,
  required: true,
  description: "The version of the API.",
}

const listQuery = {
  [versionParameter]: version,
  $filter: optional("Comparisons such as `service eq 'A' or region eq 'b'`."),
  $skipToken: optional("From the `nextLink` of the page before."),
}

// No operation has a body.
const make = operation.maker<Context, (typeof commonErrors)[number]>((example) => fail(400, { example }))

/** Whether the version defines the type of the event. Types that no version defines are in every version. */
const isDefined = (version: ApiVersion.Known, { event }: WorldEvent): boolean => {
  const defines = ({ known }: { readonly known: ReadonlyArray<string> }) =>
    known.includes(event.properties?.eventType ?? "")
  return defines(HealthEvent.eventTypes(version)) || !defines(Enumerations.EventType)
}

/** Checks that there is a subscription. */
const known = ({ subscriptions }: World, id: string): Effect.Effect<void, ErrorResponse<404>> =>
  subscriptions.some((subscription) => subscription.id === id) ? Effect.void : errors.unknownSubscription(id)

/** A page of the events that the version defines and `$filter` lets through, as a list of the version shows them. */
const list = (
  call: Context & { readonly target: string; readonly query: (name: keyof typeof listQuery) => string | null },
  events: ReadonlyArray<WorldEvent>,
  start: string | null = null,
): Effect.Effect<{ readonly value: ReadonlyArray<Shown>; readonly nextLink?: string }, ErrorResponse<400>> => {
  const { baseUrl, pageSize, query, target, version, world } = call
  const filter = filters.read(query("$filter"))
  if (filter === undefined) return errors.invalidFilter
  const show = ({ event }: WorldEvent) => inList(event, version, world.vendor)
  const found = events.filter((event) => isDefined(version, event) && filters.matches(filter, () => show(event)))
  const list = [pathOf(target), version, query("$filter"), start]
  return page({ baseUrl, target, pageSize, skipToken: query("$skipToken"), list }, found, show)
}

/** All operations, with the vendor's name in their paths. */
export const operations = (vendor: string) => {
  const events = `/providers/${vendor}.ResourceHealth/events`
  const { Event, Page } = bodies(vendor)
  return [
    make({
      name: "listBySubscription",
      tag: "events",
      summary: "List the events of a subscription",
      description: "The events of a subscription that were updated at or after `queryStartTime`.",
      method: "GET",
      path: `/subscriptions/:subscriptionId${events}`,
      query: {
        ...listQuery,
        queryStartTime: optional("Month/day/year, such as 7/24/2020, or ISO 8601. Default: three days back."),
      },
      success: Page,
      errors: [404],
      answer: (call) =>
        Effect.gen(function* () {
          const { world } = call
          const id = call.params["subscriptionId"] ?? ""
          yield* known(world, id)
          const text = call.query("queryStartTime")
          const start = startTime.read(text, world.now)
          if (start === undefined) return yield* errors.invalidStartTime
          const isIn = (event: WorldEvent) => event.subscriptions.includes(id) && event.lastUpdate >= start
          return yield* list(call, world.events.filter(isIn), text)
        }),
    }),
    make({
      name: "listByResource",
      tag: "events",
      summary: "List the events of a resource",
      description: "The events of a resource, however old. The slashes of `resourceUri` may be encoded.",
      method: "GET",
      path: `/*resourceUri${events}`,
      query: listQuery,
      success: Page,
      errors: [404],
      answer: (call): Effect.Effect<typeof Page.Encoded, ErrorResponse<400 | 404>> => {
        const { world } = call
        const uri = `/${call.params["resourceUri"]}`
        return world.resources.some((resource) => resource.uri === uri)
          ? list(
              call,
              world.events.filter(({ resources }) => resources.includes(uri)),
            )
          : errors.unknownResource(uri)
      },
    }),
    make({
      name: "fetchEventDetails",
      tag: "events",
      summary: "Get an event with nothing withheld",
      description: "An event with the texts that lists withhold of sensitive events. Needs a right of its own.",
      method: "POST",
      path: `/subscriptions/:subscriptionId${events}/:trackingId/fetchEventDetails`,
      query: { [versionParameter]: version },
      success: Event,
      errors: [403, 404],
      answer: ({ details, params, version, world }) =>
        Effect.gen(function* () {
          const { subscriptionId = "", trackingId = "" } = params
          if (!details) return yield* errors.forbidden
          yield* known(world, subscriptionId)
          const found = world.events.find(
            (event) =>
              event.event.name === trackingId &&
              event.subscriptions.includes(subscriptionId) &&
              isDefined(version, event),
          )
          return found === undefined
            ? yield* errors.unknownEvent(trackingId, subscriptionId)
            : inFull(found.event, version, world.vendor)
        }),
    }),
  ]
}
