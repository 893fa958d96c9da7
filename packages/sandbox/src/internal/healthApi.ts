/** The health events API: finds the operation, then checks the token and the version (document, "Authentication", "Versioning"). */
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { World } from "../World.js"
import * as errors from "./healthErrors.js"
import { type Context, skipToken, versionParameter } from "./healthCall.js"
import * as events from "./healthEvents.js"
import * as lists from "./healthLists.js"
import * as serviceGroups from "./healthServiceGroups.js"
import * as service from "./healthService.js"
import * as statuses from "./healthStatuses.js"
import { type Operation, parameter } from "./operation.js"
import { type Matched, part, type Part, type Route } from "./router.js"

export const tags = {
  events: "Health events of subscriptions, resources and the tenant.",
  availability: "The availability of resources, now and in the last four weeks.",
  service: "Emerging issues, and what the service supports.",
}

const makeOperations = (vendor: string) => {
  const provider = `/providers/${vendor}.ResourceHealth`
  const path = `${provider}/events`
  return [
    // Their paths also match those of resources.
    ...serviceGroups.operations(vendor, provider),
    ...lists.operations(vendor, path),
    ...events.operations(vendor, path),
    ...statuses.operations(provider),
    ...service.operations(provider),
  ]
}

const cache = new Map<string, ReturnType<typeof makeOperations>>()

/** The operations of a vendor, made once: making their schemas takes longer than serving a small request. */
export const operations = (vendor: string): ReturnType<typeof makeOperations> => {
  const all = cache.get(vendor) ?? makeOperations(vendor)
  cache.set(vendor, all)
  return all
}

export interface Options extends Pick<Context, "baseUrl" | "details" | "pageSize"> {
  readonly current: Effect.Effect<World>
  readonly accessToken: Redacted.Redacted
}

const isVersion = Schema.is(ApiVersion.Known)

/** The name of the scheme is case-insensitive (RFC 9110, 11.1). */
const tokenOf = (authorization = ""): string | undefined => /^bearer +(\S.*)$/i.exec(authorization)?.[1]

/** Neither paths nor the IDs of subscriptions are case-sensitive. */
const fold = (text: string): string => text.toLowerCase()

/** Spells the ID of a subscription as the world does. */
const known = ({ subscriptions }: World, params: Matched["params"]): Matched["params"] => {
  const id = params["subscriptionId"]
  const found = subscriptions.find((one) => id !== undefined && fold(one.id) === fold(id))
  return found === undefined ? params : { ...params, subscriptionId: found.id }
}

export const make = ({ accessToken, current, ...options }: Options): Part => {
  const route = (world: World, { handle, ...operation }: Operation<Context>): Route => ({
    ...operation,
    handle: Effect.fnUntraced(function* (matched) {
      if (tokenOf(matched.request.headers["authorization"]) !== Redacted.value(accessToken))
        return yield* errors.unauthorized
      const version = parameter(matched.target, versionParameter) ?? ""
      if (version === "") return yield* errors.missingVersion
      if (!isVersion(version)) return yield* errors.unsupportedVersion(ApiVersion.all)
      return yield* handle({ ...matched, params: known(world, matched.params), ...options, world, version })
    }),
  })
  const routes = (world: World) =>
    operations(world.vendor).flatMap((operation): ReadonlyArray<Route> => {
      const own = route(world, operation)
      if (operation.method !== "POST" || !(skipToken in operation.query)) return [own]
      const isNext = ({ target }: Matched) => parameter(target, skipToken) !== null
      // Links are followed by GET, also those of lists by POST: the official client of the public service does so.
      return [
        own,
        { ...own, method: "GET", handle: (call) => (isNext(call) ? own.handle(call) : errors.wrongMethod("POST")) },
      ]
    })
  return { serves: () => true, app: Effect.flatMap(current, (world) => part(routes(world), { fold }).app) }
}
