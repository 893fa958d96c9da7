/** A notification: what a change of an event means to a person, ready to be formatted. */
import * as Labels from "@vigil/health-text/Labels"
import * as PlainHtml from "@vigil/health-text/PlainHtml"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as Changes from "@vigil/health-schema/Changes"
import * as Events from "@vigil/health-schema/Events"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Schema from "effect/Schema"
import * as SafeText from "@vigil/health-text/SafeText"
import { fitKey, hash, idOf, limits, named, time } from "./internal/fields.js"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>

/** A change of an event, such as those that `Watch.run` of `@vigil/health-client` handles. @category models @since 0.1.0 */
export interface Change {
  readonly _tag: "Appeared" | "Updated" | "Resolved" | "Reopened" | "Disappeared"
  readonly event: AnyEvent
  readonly changes?: Changes.Changes | undefined
}

/**
 * What happened to the event. `withdrawn`: the service no longer lists it. `summary`: the notification describes several events that a
 * `Delivery` has joined.
 * @category schemas @since 0.1.0
 */
export const State = Schema.Literals(["opened", "updated", "resolved", "reopened", "withdrawn", "summary"])

/** @category models @since 0.1.0 */
export type State = typeof State.Type

/** Returns whether the state ends an event: `resolved` or `withdrawn`. @category guards @since 0.1.0 */
export const isClosing = (state: State): boolean => state === "resolved" || state === "withdrawn"

/** The level of the event. Missing and unknown levels are `Informational`. @category schemas @since 0.1.0 */
export const Level = Schema.Literals(Enumerations.EventLevel.known)

/** @category models @since 0.1.0 */
export type Level = typeof Level.Type

/** Returns the rank of a level in any case: 0 is the most severe one. `Infinity` if it is unknown. @category ordering @since 0.2.0 */
export const levelRank = (level: string): number =>
  ranks.get(level) ?? ranks.get(OpenEnum.find(Enumerations.EventLevel, level) ?? "") ?? Infinity

const ranks: ReadonlyMap<string, number> = new Map(Enumerations.EventLevel.known.map((level, rank) => [level, rank]))

const instant = Schema.NullOr(Schema.String)

/**
 * A notification as JSON. Texts are plain: HTML is converted, but characters of a target's markup are not escaped. Times are ISO 8601 in UTC,
 * or `null` if unknown.
 * @category schemas @since 0.1.0
 */
export const Notification = Schema.Struct({
  /** Identifies the notification: the same change has the same ID in every run. ASCII without full stops, at most 120 characters. */
  id: Schema.String,
  /** Identifies the event over all its notifications and subscriptions: its tracking ID in lower case, else its resource ID, else a hash of it. At most 200 characters. */
  key: Schema.String,
  state: State,
  level: Level,
  /** The tracking ID as sent, at most 200 characters; empty if absent. */
  trackingId: Schema.String,
  /** The type of the event as sent, such as `ServiceIssue`, at most 100 characters; empty if absent. `Resource`: see `ResourceNotification`. */
  type: Schema.String,
  /** The status of the event as sent, such as `Active`, at most 100 characters; empty if absent. */
  status: Schema.String,
  /** A single line, at most 1,000 characters; never empty. */
  title: Schema.String,
  /** The affected services: at most 100 names, at most 200 characters each. */
  services: Schema.Array(Schema.String),
  /** The affected regions: at most 100 names, at most 200 characters each. */
  regions: Schema.Array(Schema.String),
  /** The subscription whose list has the event; `null` if unknown. */
  subscription: Schema.NullOr(Schema.String),
  /** The name of the subscription in a single line, at most 200 characters; absent if unknown. */
  subscriptionName: Schema.optionalKey(Schema.String),
  startedAt: instant,
  updatedAt: instant,
  endedAt: instant,
  /** A URL to open in a browser; `null` if there is none. */
  link: Schema.NullOr(Schema.String),
  /** What is new, at most 4,000 characters; may be empty. */
  text: Schema.String,
})

/** @category models @since 0.1.0 */
export interface Notification extends Schema.Schema.Type<typeof Notification> {}

/** Returns whether the event is over. A review may update a resolved event. @category guards @since 0.1.0 */
export const isOver = ({ state, status }: Notification): boolean =>
  isClosing(state) || (state === "updated" && HealthEvent.isResolvedStatus(status))

const joinTexts = (earlier: string, later: string): string => {
  const space = limits.text - later.length - "\n\n".length
  return later.includes(earlier) || space < 1 ? later : `${SafeText.cut(earlier, space)}\n\n${later}`
}

/**
 * Joins two notifications of an event that were not sent: the later one, with the texts of both. An update does not hide that the event was
 * opened before.
 * @category combinators @since 0.1.0
 */
export const join = (earlier: Notification, later: Notification): Notification => ({
  ...later,
  state: later.state === "updated" ? earlier.state : later.state,
  text: joinTexts(earlier.text, later.text),
})

/** Options of `fromChange`. @category models @since 0.1.0 */
export interface Options {
  /** The subscription whose list has the event. Default: none. */
  readonly subscription?: string | undefined
  /** The name of the subscription, for people. Default: none. */
  readonly subscriptionName?: string | undefined
  /** Returns the URL of an event to open in a browser, such as a page of a portal. Default: none. */
  readonly link?: ((event: AnyEvent) => string | undefined) | undefined
}

const states: Readonly<Record<Change["_tag"], State>> = {
  Appeared: "opened",
  Updated: "updated",
  Resolved: "resolved",
  Reopened: "reopened",
  Disappeared: "withdrawn",
}

/** The status of a false positive may be `Active`, and an update of it does not open it again. */
const stateOf = ({ _tag, event }: Change): State =>
  (_tag === "Appeared" && !Events.isActive(event)) || (_tag === "Updated" && Events.isFalsePositive(event))
    ? "resolved"
    : states[_tag]

const cutAll = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from(new Set(names.map((name) => SafeText.cut(name.trim(), limits.name)))).slice(0, limits.names)

/** The updates of regions are often the same text. */
const distinctTexts = (sources: ReadonlyArray<string | null | undefined>): ReadonlyArray<string> => [
  ...new Set(sources.map((html) => PlainHtml.text(html ?? "").trim()).filter((text) => text !== "")),
]

/** The plain text of what is new: the added updates, else the summary of the event, else its description. */
const newTexts = ({ changes, event: { properties } }: Change): string => {
  const added = (changes?.updates ?? []).filter(({ kind }) => kind === "Added")
  const updates = distinctTexts(added.map(({ update }) => update.summary))
  const texts = updates.length > 0 ? updates : distinctTexts([properties?.summary || properties?.description])
  return SafeText.cut(texts.join("\n\n"), limits.text)
}

/**
 * Derives the notification of a change. Pure: the same change has the same `id`, so that a receiver can ignore a repeated one.
 * @category conversions @since 0.1.0
 */
export const fromChange = (change: Change, { link, subscription, subscriptionName }: Options = {}): Notification => {
  const { event } = change
  const properties: HealthEvent.Properties<ApiVersion.ApiVersion> = event.properties ?? {}
  const trackingId = SafeText.cut(event.name ?? "", limits.trackingId)
  const state = stateOf(change)
  const fields = {
    level: HealthEvent.knownLevel(event) ?? "Informational",
    trackingId,
    type: SafeText.cut(properties.eventType ?? "", limits.type),
    status: SafeText.cut(properties.status ?? "", limits.status),
    title: SafeText.cut(
      SafeText.line(properties.title ?? "") || SafeText.line(trackingId) || "An event without a title",
      limits.title,
    ),
    services: cutAll(Labels.services(event)),
    regions: cutAll(Labels.regions(event)),
    startedAt: time(properties.impactStartTime),
    updatedAt: time(properties.lastUpdateTime),
    endedAt: time(properties.impactMitigationTime),
  }
  const text = newTexts({ ...change, changes: undefined })
  const key = fitKey(HealthEvent.eventKey(event) ?? hash(JSON.stringify({ ...fields, text })), limits.key)
  const content = { key, state, ...fields, text: newTexts(change) }
  return {
    id: idOf(key, state, JSON.stringify(content)),
    ...content,
    subscription: subscription ?? null,
    ...named(subscriptionName),
    link: link?.(event) ?? null,
  }
}
