/** The common parts of all kinds of events: tracking ID, times, impact and priority, and the event that a story makes. */
import * as Priority from "@vigil/health-schema/Priority"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { Dice } from "./dice.js"
import type { Resource, WireEvent, WorldEvent } from "./models.js"
import type { Service } from "./places.js"

type WireProperties = NonNullable<WireEvent["properties"]>

export type WireImpact = NonNullable<WireProperties["impact"]>
export type WireLinks = NonNullable<WireProperties["links"]>

export interface Setting {
  readonly dice: Dice
  readonly trackingId: string
  readonly now: number
  readonly lastUpdate: number
  readonly service: Service
  readonly regions: ReadonlyArray<string>
  readonly subscriptions: ReadonlyArray<string>
  readonly time: (at: number) => string
}

export type Story = (setting: Setting) => WireProperties

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

const alphabet = "BCDFGHJKLMNPQRSTVWXZ0123456789"

/** A tracking ID, such as `D5VD-GHJ` with a suffix of 3. */
export const randomTrackingId = (dice: Dice, suffixLength: number): string =>
  `${dice.text(alphabet, 4)}-${dice.text(alphabet, suffixLength)}`

/** Formats seen in public: 0, 3 or 7 fraction digits, and sometimes no zone. */
export const spelling = (dice: Dice): ((at: number) => string) => {
  const style = dice.between(1, 10)
  return (at) => {
    const iso = new Date(at).toISOString()
    if (style <= 4) return secondsOf(at)
    if (style <= 6) return iso
    return style === 10 ? iso.slice(0, 19) : `${iso.slice(0, 23)}0530Z`
  }
}

/** In milliseconds since 1970, `undefined` if invalid or missing. The default zone is UTC. */
export const instantOf = (text: string | null | undefined): number | undefined =>
  typeof text === "string" && Timestamp.isTimestamp(text)
    ? Option.getOrUndefined(Option.map(Timestamp.instant(text), DateTime.toEpochMillis))
    : undefined

/** In seconds, such as `2026-01-15T12:00:00Z`. */
export const secondsOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`

export const enumerate = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`

const defaults = {
  eventSource: "ServiceHealth",
  isEventSensitive: false,
  isHIR: false,
  platformInitiated: true,
  enableVendorSupport: true,
} as const

export const impactOf = (
  s: Setting,
  status: string,
  summary: string,
  eventTags: ReadonlyArray<string> = [],
): WireImpact => [
  {
    impactedService: s.service.name,
    impactedServiceGuid: s.service.guid,
    impactedRegions: s.regions.map((impactedRegion) => ({
      impactedRegion,
      status,
      impactedSubscriptions: s.subscriptions,
      lastUpdateTime: s.time(s.lastUpdate),
      updates: [{ summary, updateDateTime: s.time(s.lastUpdate), eventTags }],
    })),
  },
]

/** The priority of an event whose type has a rank (document, "Priority ordering rules"). */
export const priority = (eventType: string, status: string, eventLevel: string): { readonly priority: number } => ({
  priority: Option.getOrThrow(Priority.derive({ properties: { eventType, status, eventLevel } })),
})

/** An event of the world with this story. */
export const worldEvent = (
  story: Story,
  setting: Setting,
  vendor: string,
  resources: ReadonlyArray<Resource>,
): WorldEvent => {
  const { dice, lastUpdate, regions, service, subscriptions, time, trackingId } = setting
  // With a spread, the whole world takes twice as long.
  const properties = Object.assign({}, defaults, { lastUpdateTime: time(lastUpdate) }, story(setting))
  const type = `/providers/${vendor}.ResourceHealth/events`
  const location = dice.chance(0.2) ? { location: "global" } : {}
  return {
    event: { id: `${type}/${trackingId}`, name: trackingId, type, ...location, properties },
    lastUpdate,
    subscriptions,
    resources: resources
      .filter((resource) => resource.service === service.name && regions.includes(resource.region))
      .filter(({ subscription }) => subscriptions.includes(subscription))
      .map(({ uri }) => uri),
  }
}
