/** What the operations of the health events API share: the call, its parameters and its lists (document, "Paging"). */
import { createHash } from "node:crypto"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as ErrorBody from "@vigil/health-schema/ErrorResponse"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { World, WorldEvent } from "../World.js"
import type { ErrorResponse } from "./errorResponse.js"
import * as filters from "./filter.js"
import * as errors from "./healthErrors.js"
import * as operation from "./operation.js"
import { pathOf } from "./router.js"

export interface Context {
  readonly world: World
  readonly version: ApiVersion.Known
  readonly baseUrl: string
  readonly pageSize: number
  readonly details: boolean
}

export const commonErrors = [400, 401] as const

export const versionParameter = "api-version"

export const skipToken = "$skipToken"

export const Failure = Schema.Union([ErrorBody.ErrorResponse, ErrorBody.Nested]).annotate({
  identifier: "Error",
})

/** The operations with a tag of the document. */
export const maker = operation.maker<Context, (typeof commonErrors)[number]>

export const optional = (description: string): operation.Parameter => ({
  schema: Schema.String,
  required: false,
  description,
})

const version: operation.Parameter = {
  schema: ApiVersion.Known,
  required: true,
  description: "The version of the API.",
}

export const query = { [versionParameter]: version }

export const listQuery = {
  ...query,
  $filter: optional("Comparisons such as `service eq 'A' or region eq 'b'`."),
  [skipToken]: optional("From the `nextLink` of the previous page."),
}

export const startQuery = {
  queryStartTime: optional("Month/day/year, such as 7/24/2020, or ISO 8601. Default for lists: three days back."),
}

/** Event types that no version defines are part of every version. */
export const isDefined = (version: ApiVersion.Known, { event }: WorldEvent): boolean => {
  const defines = ({ known }: { readonly known: ReadonlyArray<string> }) =>
    known.includes(event.properties?.eventType ?? "")
  return defines(HealthEvent.eventTypes(version)) || !defines(Enumerations.EventType)
}

export const checkSubscription = ({ subscriptions }: World, id: string): Effect.Effect<void, ErrorResponse<404>> =>
  subscriptions.some((subscription) => subscription.id === id) ? Effect.void : errors.unknownSubscription(id)

export type ListCall = Context & {
  readonly target: string
  readonly query: (name: keyof typeof listQuery) => string | null
}

const makeToken = (list: string, offset: number): string =>
  Buffer.from(`${offset}:${createHash("sha256").update(list).digest("base64url").slice(0, 16)}`).toString("base64url")

const offsetOf = (list: string, token: string | null): number | undefined => {
  if (token === null) return 0
  const offset = Number(/^\d{1,15}(?=:)/.exec(Buffer.from(token, "base64url").toString())?.[0])
  return makeToken(list, offset) === token ? offset : undefined
}

/**
 * A page of the items that match `$filter`. A `$skipToken` is valid for one list, which includes its `start`. The next link is the URL of the
 * request, byte for byte, with another `$skipToken`. A page beyond the end of a shortened list is empty.
 */
export const list = <A, B extends filters.Filterable>(
  { baseUrl, pageSize, query, target, version }: ListCall,
  items: ReadonlyArray<A>,
  show: (item: A) => B,
  start: string | null = null,
) => {
  const filter = filters.read(query("$filter"))
  if (filter === undefined) return errors.invalidFilter
  const found = items.filter((item) => filters.matches(filter, () => show(item)))
  const list = JSON.stringify([pathOf(target).toLowerCase(), version, query("$filter"), start])
  const offset = offsetOf(list, query(skipToken))
  if (offset === undefined) return errors.invalidSkipToken
  const next = offset + (pageSize >= 1 ? Math.floor(pageSize) : 1)
  const [path = "", ...rest] = target.split("?")
  const pairs = rest
    .join("?")
    .split("&")
    .filter((pair) => !/^(\$|%24)skipToken=/i.test(pair))
  const nextLink = `${baseUrl}${path}?${[...pairs, `$skipToken=${makeToken(list, next)}`].join("&")}`
  return Effect.succeed({ value: found.slice(offset, next).map(show), ...(next < found.length ? { nextLink } : {}) })
}
