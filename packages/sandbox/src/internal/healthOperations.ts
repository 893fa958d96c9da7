/** The operations of the health events API: both its routes and its OpenAPI document (document, "Endpoints"). */
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
import { inFull, inList } from "./view.js"

export interface Context {
  readonly world: World
  readonly version: ApiVersion.Known
  readonly baseUrl: string
  readonly pageSize: number
  readonly details: boolean
}

export const tags = { events: "Health events of subscriptions and resources." }

export const commonErrors = [400, 401] as const

export const versionParameter = "api-version"

export const Failure = Schema.Union(ErrorBody.ErrorResponse, ErrorBody.Nested).annotations({
  identifier: "Error",
})

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
  $skipToken: optional("From the `nextLink` of the previous page."),
}

const make = operation.maker<Context, (typeof commonErrors)[number]>((example) => fail(400, { example }))

/** Event types that no version defines are part of every version. */
const isDefined = (version: ApiVersion.Known, { event }: WorldEvent): boolean => {
  const defines = ({ known }: { readonly known: ReadonlyArray<string> }) =>
    known.includes(event.properties?.eventType ?? "")
  return defines(HealthEvent.eventTypes(version)) || !defines(Enumerations.EventType)
}

const checkSubscription = ({ subscriptions }: World, id: string): Effect.Effect<void, ErrorResponse<404>> =>
  subscriptions.some((subscription) => subscription.id === id) ? Effect.void : errors.unknownSubscription(id)

const list = (
  call: Context & { readonly target: string; readonly query: (name: keyof typeof listQuery) => string | null },
  events: ReadonlyArray<WorldEvent>,
  start: string | null = null,
) => {
  const { baseUrl, pageSize, query, target, version, world } = call
  const filter = filters.read(query("$filter"))
  if (filter === undefined) return errors.invalidFilter
  const show = ({ event }: WorldEvent) => inList(event, version, world.vendor)
  const found = events.filter((event) => isDefined(version, event) && filters.matches(filter, () => show(event)))
  const list = [pathOf(target), version, query("$filter"), start]
  return page({ baseUrl, target, pageSize, skipToken: query("$skipToken"), list }, found, show)
}

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
      handle: (call) =>
        Effect.gen(function* () {
          const { world } = call
          const id = call.params["subscriptionId"] ?? ""
          yield* checkSubscription(world, id)
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
      description: "All events of a resource. The slashes of `resourceUri` may be encoded.",
      method: "GET",
      path: `/*resourceUri${events}`,
      query: listQuery,
      success: Page,
      errors: [404],
      handle: (call) =>
        Effect.gen(function* () {
          const { resources, events } = call.world
          const uri = `/${call.params["resourceUri"]}`
          if (resources.every((resource) => resource.uri !== uri)) return yield* errors.unknownResource(uri)
          const isIn = (event: WorldEvent) => event.resources.includes(uri)
          return yield* list(call, events.filter(isIn))
        }),
    }),
    make({
      name: "fetchEventDetails",
      tag: "events",
      summary: "Get the details of an event",
      description: "An event with all texts, which lists omit for sensitive events. Requires an additional right.",
      method: "POST",
      path: `/subscriptions/:subscriptionId${events}/:trackingId/fetchEventDetails`,
      query: { [versionParameter]: version },
      success: Event,
      errors: [403, 404],
      handle: ({ details, params, version, world }) =>
        Effect.gen(function* () {
          const { subscriptionId = "", trackingId = "" } = params
          if (!details) return yield* errors.forbidden
          yield* checkSubscription(world, subscriptionId)
          const found = world.events
            .filter(({ event, subscriptions }) => event.name === trackingId && subscriptions.includes(subscriptionId))
            .find((event) => isDefined(version, event))
          return found === undefined
            ? yield* errors.unknownEvent(trackingId, subscriptionId)
            : inFull(found.event, version, world.vendor)
        }),
    }),
  ]
}
