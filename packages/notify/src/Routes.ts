/** Routes: which notifications go to which sinks, and when. */
import { InvalidSetting } from "@vigil/core-http/SettingsError"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Region from "@vigil/health-schema/Region"
import * as Array from "effect/Array"
import * as Cron from "effect/Cron"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as JsonSchema from "effect/JsonSchema"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as routesDocument from "./internal/routesDocument.js"
import { Document } from "./internal/routesSchema.js"
import { isClosing, type Level, levelRank, type Notification } from "./Notification.js"
import { RoutesError } from "./RoutesError.js"
import type { Sink } from "./Sink.js"

/** Sinks, and rules that select them. Contains no secrets, only references to them. @category models @since 0.1.0 */
export interface Routes extends Schema.Schema.Type<typeof Document> {}

type Route = Routes["routes"][number]

/** The settings of a sink. @category models @since 0.1.0 */
export type SinkSettings = Routes["sinks"][string]

/**
 * What to do with a notification for a sink. `hold`: deliver it at `until`, unless a later notification of the event replaces it. `isGrouped`:
 * its routes set `groupFor`, so that it may be joined with openings of other events.
 * @category models @since 0.1.0
 */
export type Decision =
  | { readonly sink: string; readonly action: "skip" }
  | { readonly sink: string; readonly action: "deliver"; readonly isGrouped?: boolean | undefined }
  | { readonly sink: string; readonly action: "hold"; readonly until: DateTime.Utc }

/**
 * Parses a document in YAML or JSON. The error lists every mistake with its line, such as `routes.0.match has an unknown key: use type, level, …`.
 * Accepts at most 100,000 characters and 100 repetitions by aliases.
 * @category parsing @since 0.1.0
 */
export const parse = (text: string): Result.Result<Routes, RoutesError> =>
  Result.mapError(routesDocument.parse(text), (mistakes) => new RoutesError({ mistakes }))

/**
 * Returns the JSON Schema (draft 07) of a document, for editors. `parse` also checks names of sinks and time zones.
 * @category exports @since 0.1.0
 */
export const jsonSchema = (): JsonSchema.JsonSchema => {
  const document = Schema.toJsonSchemaDocument(Document, { onExcessProperty: "error" })
  const { definitions, schema } = JsonSchema.toDocumentDraft07(document)
  return { $schema: JsonSchema.META_SCHEMA_URI_DRAFT_07, ...schema, definitions }
}

const equalsText = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const matches = (match: NonNullable<Route["match"]>, notification: Notification): boolean => {
  const { level, regions, services, status, subscription, type } = notification
  const values = {
    type: [type],
    level: [level],
    status: [HealthEvent.isResolvedStatus(status) ? "Resolved" : "Active"],
    service: services,
    region: regions,
    subscription: subscription === null ? [] : [subscription],
  }
  return Struct.keys(values).every((field) => {
    const wanted = match[field]
    const equals = field === "region" ? Region.equals : equalsText
    return wanted === undefined || Array.ensure(wanted).some((one) => values[field].some((other) => equals(one, other)))
  })
}

const isAtLeast = ({ level }: Notification, minimum: string | undefined): boolean =>
  minimum === undefined || levelRank(level) <= levelRank(minimum)

/** Fails if sinks have the same name, or if a sink of the routes is missing. @category validation @since 0.1.0 */
export const checkSinks = (
  routes: Routes | undefined,
  sinks: ReadonlyArray<Sink>,
): Effect.Effect<void, InvalidSetting> => {
  const names = sinks.map(({ name }) => name)
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  const missing = Object.keys(routes?.sinks ?? {}).find((name) => !names.includes(name))
  if (repeated === undefined && missing === undefined) return Effect.void
  const expected =
    repeated === undefined
      ? `a list with the sink ${JSON.stringify(missing)} of the routes`
      : `a list of sinks with distinct names: ${JSON.stringify(repeated)} is repeated`
  return new InvalidSetting({ setting: "sinks", expected })
}

/** Returns when quiet hours end; `undefined` outside of them. */
const endOfQuietHours = (
  { from, timeZone, to }: NonNullable<Route["quietHours"]>,
  now: DateTime.Utc,
): DateTime.Utc | undefined => {
  const zoned = DateTime.makeZonedUnsafe(now, { timeZone })
  const local = DateTime.formatIsoOffset(zoned).slice(11, 16)
  const isQuiet = from < to ? from <= local && local < to : from <= local || local < to
  if (!isQuiet) return undefined
  const [hour, minute] = to.split(":")
  const ends = Cron.parseUnsafe(`${minute} ${hour} * * *`, timeZone, { onDstOverlap: "both" })
  return DateTime.fromDateUnsafe(Cron.next(ends, now))
}

/** When a route delivers a notification. */
const timeOf = (
  { groupFor, quietHours: quiet }: Route,
  notification: Notification,
  now: DateTime.Utc,
  openLevel: Level | undefined,
): DateTime.Utc => {
  const isNews = openLevel === undefined || levelRank(notification.level) < levelRank(openLevel)
  // An event that opens in a further subscription is an update for the sink.
  const isGrouped = groupFor !== undefined && notification.state !== "reopened" && !isNews
  const time = isGrouped ? DateTime.addDuration(now, Duration.fromInputUnsafe(groupFor as Duration.Input)) : now
  const isExempt = quiet?.except !== undefined && isAtLeast(notification, quiet.except)
  return (quiet === undefined || isExempt ? undefined : endOfQuietHours(quiet, time)) ?? time
}

/**
 * Decides for each sink. All matching routes apply: the earliest time counts. A resolution or withdrawal goes at once to the sinks that have
 * the event open, whether a route matches or not. `openLevel` returns the level at which a sink has the event open, `undefined` if it does not;
 * default: none does. `groupFor` holds back no update that opens the event for the sink, or raises its level.
 * @category routing @since 0.1.0
 */
export const sinksFor = (
  { routes, sinks }: Routes,
  notification: Notification,
  now: DateTime.Utc,
  openLevel: (sink: string) => Level | undefined = () => undefined,
): ReadonlyArray<Decision> => {
  const matching = routes.filter(
    ({ match = {}, minimumLevel }) => matches(match, notification) && isAtLeast(notification, minimumLevel),
  )
  return Object.entries(sinks).map(([sink, { minimumLevel }]): Decision => {
    const level = openLevel(sink)
    if (isClosing(notification.state) && level !== undefined) return { sink, action: "deliver" }
    if (!isAtLeast(notification, minimumLevel)) return { sink, action: "skip" }
    const own = matching.filter(({ to }) => Array.ensure(to).includes(sink))
    const [first, ...others] = own.map((route) => timeOf(route, notification, now, level))
    if (first === undefined) return { sink, action: "skip" }
    const until = others.reduce(DateTime.min, first)
    if (DateTime.isGreaterThan(until, now)) return { sink, action: "hold", until }
    return { sink, action: "deliver", isGrouped: own.every(({ groupFor }) => groupFor !== undefined) }
  })
}
