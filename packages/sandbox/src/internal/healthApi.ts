/** The health events API: its two lists, and the details of one event, over the world (document, "Endpoints"). */
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { World, WorldEvent } from "../World.js"
import { type Answer, flat, json, nested } from "./answer.js"
import * as filters from "./filter.js"
import { page } from "./page.js"
import * as startTime from "./startTime.js"
import { inFull, inList } from "./view.js"

/** What the API is served with. */
export interface Options {
  readonly current: Effect.Effect<World>
  readonly accessToken: Redacted.Redacted
  /** Where it is served, for links. */
  readonly baseUrl: string
  /** How many events a page holds. */
  readonly pageSize: number
  /** Whether the token has the right to details. */
  readonly details: boolean
}

/** A request that is let in: what it asks of which world. */
interface Call {
  readonly request: URL
  readonly version: ApiVersion.Known
  readonly world: World
}

const isVersion = Schema.is(ApiVersion.Known)

const unauthorized = nested(
  401,
  "AuthenticationFailed",
  "Authentication failed. The 'Authorization' header is missing or its token is not valid.",
  { "www-authenticate": "Bearer" },
)

/** What the gateway answers to a path, or a method, that no service has. */
export const noSuchPath = nested(404, "InvalidResourceType", "There is no such path.")

const noSuchSubscription = (id: string) =>
  nested(404, "SubscriptionNotFound", `The subscription '${id}' could not be found.`)

const suffixOf = (vendor: string) => `/providers/${vendor}.ResourceHealth/events`

/** What a version does not define is not there. */
const isDefined = (version: ApiVersion.Known, { event }: WorldEvent): boolean =>
  version !== "2025-04-01" || event.properties?.eventType !== "Billing"

const hasSubscription = (world: World, id: string): boolean =>
  world.subscriptions.some((subscription) => subscription.id === id)

/** The operations of the API; whatever is none of them is a 404 of the gateway. */
export const routes = ({ accessToken, baseUrl, current, details, pageSize }: Options) => {
  const size = pageSize >= 1 ? Math.floor(pageSize) : 1

  /** The checks that every operation has; then what it answers. */
  const admit = (answer: (call: Call) => Answer) =>
    Effect.gen(function* () {
      const { headers, url } = yield* HttpServerRequest.HttpServerRequest
      if (headers["authorization"] !== `Bearer ${Redacted.value(accessToken)}`) return yield* unauthorized
      const request = new URL(baseUrl + url)
      const version = request.searchParams.get("api-version") ?? ""
      if (version === "")
        return yield* nested(400, "MissingApiVersionParameter", "The query parameter 'api-version' is required.")
      if (!isVersion(version))
        return yield* nested(
          400,
          "InvalidApiVersionParameter",
          `The api-version is not supported. The supported versions are '${ApiVersion.all.join(",")}'.`,
        )
      return yield* answer({ request, version, world: yield* current })
    })

  /** A page of those events that the version defines and `$filter` lets in, as a list of the version shows them. */
  const list = ({ request, version, world }: Call, events: ReadonlyArray<WorldEvent>): Answer => {
    const filter = filters.read(request.searchParams.get("$filter"))
    if (filter === undefined)
      return flat(
        400,
        "InvalidODataQueryOptions",
        "The value of '$filter' can't be read. A filter is such as: service eq 'A' or region eq 'b'.",
      )
    const show = ({ event }: WorldEvent) => inList(event, version, world.vendor)
    const found = events.filter((event) => isDefined(version, event) && filters.matches(filter, () => show(event)))
    return page(request, size, found, show)
  }

  const bySubscription = (id: string) => (call: Call) => {
    const { request, world } = call
    if (!hasSubscription(world, id)) return noSuchSubscription(id)
    const start = startTime.read(request.searchParams.get("queryStartTime"), world.now)
    return start === undefined
      ? flat(400, "InvalidQueryStartTime", "'queryStartTime' must be a date such as 7/24/2020.")
      : list(
          call,
          world.events.filter((e) => e.subscriptions.includes(id) && e.lastUpdate >= start),
        )
  }

  const byResource = (call: Call) => {
    const { request, world } = call
    const uri = decodeURIComponent(request.pathname.slice(0, -suffixOf(world.vendor).length))
    return world.resources.some((resource) => resource.uri === uri)
      ? list(
          call,
          world.events.filter((e) => e.resources.includes(uri)),
        )
      : nested(404, "ResourceNotFound", `The resource '${uri}' could not be found.`)
  }

  /** The event with nothing withheld: its path and its right are those of the field notes ("Operations around the two lists"). */
  const detailsOf =
    (id: string, trackingId: string) =>
    ({ version, world }: Call): Answer => {
      if (!details)
        return nested(
          403,
          "AuthorizationFailed",
          "The client does not have authorization to fetch the details of events.",
        )
      if (!hasSubscription(world, id)) return noSuchSubscription(id)
      const found = world.events.find(
        (known) => known.event.name === trackingId && known.subscriptions.includes(id) && isDefined(version, known),
      )
      return found === undefined
        ? nested(404, "EventNotFound", `The event '${trackingId}' could not be found in the subscription '${id}'.`)
        : json(inFull(found.event, version, world.vendor))
    }

  /** What is answered below the provider of the current vendor. */
  const ofProvider = (answer: (id: string, trackingId: string) => (call: Call) => Answer) =>
    Effect.gen(function* () {
      const { provider = "", subscriptionId = "", trackingId = "" } = yield* HttpRouter.params
      const { vendor } = yield* current
      return yield* provider === `${vendor}.ResourceHealth` ? admit(answer(subscriptionId, trackingId)) : noSuchPath
    })

  const events = "/subscriptions/:subscriptionId/providers/:provider/events"
  return HttpRouter.empty.pipe(
    HttpRouter.get(events, ofProvider(bySubscription)),
    HttpRouter.post(`${events}/:trackingId/fetchEventDetails`, ofProvider(detailsOf)),
    HttpRouter.get(
      "*",
      Effect.gen(function* () {
        const { url } = yield* HttpServerRequest.HttpServerRequest
        const { vendor } = yield* current
        return yield* new URL(url, "http://localhost").pathname.endsWith(suffixOf(vendor))
          ? admit(byResource)
          : noSuchPath
      }),
    ),
  )
}
