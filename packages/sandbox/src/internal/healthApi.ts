/** The health events API: its two lists, over the world (document, "Endpoints"). */
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { World, WorldEvent } from "../World.js"
import { flat, json, nested } from "./answer.js"
import * as skipToken from "./skipToken.js"
import * as startTime from "./startTime.js"
import { inList } from "./view.js"

/** How many events a page holds. */
const pageSize = 50

/** What the API is served with. */
export interface Options {
  readonly world: World
  readonly accessToken: Redacted.Redacted
  /** Where it is served, for links. */
  readonly baseUrl: string
}

const isVersion = Schema.is(ApiVersion.ApiVersion)

const unauthorized = nested(
  401,
  "AuthenticationFailed",
  "Authentication failed. The 'Authorization' header is missing or its token is not valid.",
  { "www-authenticate": "Bearer" },
)

/** What the gateway answers to a path, or a method, that no service has. */
export const noSuchPath = nested(404, "InvalidResourceType", "There is no such path.")

/** The name of a pair of a query, as it is written or percent-encoded. */
const isSkipToken = (pair: string) => /^(\$|%24)skipToken=/i.test(pair)

/** One page of `events`, and the link to the next: the request's own address, its bytes kept, with another `$skipToken`. */
const page = (request: URL, version: ApiVersion.ApiVersion, vendor: string, events: ReadonlyArray<WorldEvent>) => {
  const offset = skipToken.read(request.searchParams.get("$skipToken"))
  if (offset === undefined || offset > events.length)
    return flat(400, "InvalidODataQueryOptions", "The value of '$skipToken' was not handed out by this list.")
  const next = offset + pageSize
  const pairs = request.search
    .slice(1)
    .split("&")
    .filter((pair) => !isSkipToken(pair))
  const query = [...pairs, `$skipToken=${skipToken.make(next)}`].join("&")
  return json({
    value: events.slice(offset, next).map(({ event }) => inList(event, version, vendor)),
    ...(next < events.length ? { nextLink: `${request.origin}${request.pathname}?${query}` } : {}),
  })
}

/** Both lists of the API; whatever is neither is a 404 of the gateway. */
export const routes = ({ accessToken, baseUrl, world }: Options) => {
  const provider = `${world.vendor}.ResourceHealth`
  const suffix = `/providers/${provider}/events`

  /** Answers a list: the checks that both have, then a page of what `select` finds or its refusal. */
  const list = (select: (request: URL) => Effect.Effect<ReadonlyArray<WorldEvent>, ReturnType<typeof nested>>) =>
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
      return yield* Effect.matchEffect(select(request), {
        onFailure: (refusal) => refusal,
        onSuccess: (events) =>
          page(
            request,
            version,
            world.vendor,
            version === "2025-05-01" ? events : events.filter(({ event }) => event.properties?.eventType !== "Billing"),
          ),
      })
    })

  const bySubscription = (id: string, request: URL) => {
    if (!world.subscriptions.some((subscription) => subscription.id === id))
      return Effect.fail(nested(404, "SubscriptionNotFound", `The subscription '${id}' could not be found.`))
    const start = startTime.read(request.searchParams.get("queryStartTime"), world.now)
    return start === undefined
      ? Effect.fail(flat(400, "InvalidQueryStartTime", "'queryStartTime' must be a date such as 7/24/2020."))
      : Effect.succeed(world.events.filter((e) => e.subscriptions.includes(id) && e.lastUpdate >= start))
  }

  const byResource = (request: URL) => {
    const uri = decodeURIComponent(request.pathname.slice(0, -suffix.length))
    return world.resources.some((resource) => resource.uri === uri)
      ? Effect.succeed(world.events.filter((e) => e.resources.includes(uri)))
      : Effect.fail(nested(404, "ResourceNotFound", `The resource '${uri}' could not be found.`))
  }

  return HttpRouter.empty.pipe(
    HttpRouter.get(
      `/subscriptions/:subscriptionId${suffix}`,
      Effect.flatMap(HttpRouter.params, ({ subscriptionId = "" }) =>
        list((request) => bySubscription(subscriptionId, request)),
      ),
    ),
    HttpRouter.get(
      "*",
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
        new URL(url, "http://localhost").pathname.endsWith(suffix) ? list(byResource) : noSuchPath,
      ),
    ),
  )
}
