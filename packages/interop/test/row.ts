/** The common form of an event of both clients. */
import type { Event } from "@azure/arm-resourcehealth"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** Fields that both clients have. Times are milliseconds since 1970, or absent. */
export interface Row {
  readonly id: string | undefined
  readonly title: string | undefined
  readonly eventType: string | undefined
  readonly status: string | undefined
  readonly lastUpdateTime: number | undefined
  readonly impactStartTime: number | undefined
  readonly impactMitigationTime: number | undefined
  readonly regions: number
  readonly support: boolean | undefined
}

/** The time fields of an event. */
export const times = ["lastUpdateTime", "impactStartTime", "impactMitigationTime"] as const

/** The number of impacted regions of all services. */
const regions = (
  impact: ReadonlyArray<{ readonly impactedRegions?: ReadonlyArray<unknown> | null | undefined }> | null | undefined,
) => (impact ?? []).reduce((sum, { impactedRegions }) => sum + (impactedRegions?.length ?? 0), 0)

/** An instant of our client. */
export const instant = (timestamp: Timestamp.Timestamp | null | undefined): number | undefined =>
  Option.getOrUndefined(Option.map(Timestamp.instant(timestamp), DateTime.toEpochMillis))

/**
 * An instant of the official client. For an empty text and the year 0001, where ours is `None`, it has an Invalid Date and a date in the
 * year 1.
 */
const theirInstant = (date: Date | null | undefined): number | undefined =>
  date === null || date === undefined || Number.isNaN(date.getTime()) || date.getUTCFullYear() <= 1
    ? undefined
    : date.getTime()

/** An event of our client. */
export const ofOurs = (event: HealthEvent.HealthEvent<ApiVersion.ApiVersion>): Row => ({
  id: event.id ?? undefined,
  title: event.properties?.title ?? undefined,
  eventType: event.properties?.eventType ?? undefined,
  status: event.properties?.status ?? undefined,
  lastUpdateTime: instant(event.properties?.lastUpdateTime),
  impactStartTime: instant(event.properties?.impactStartTime),
  impactMitigationTime: instant(event.properties?.impactMitigationTime),
  regions: regions(event.properties?.impact),
  support: HealthEvent.vendorSupport(event, "Microsoft"),
})

/** An event of the official client. */
export const ofTheirs = (event: Event): Row => ({
  id: event.id,
  title: event.title,
  eventType: event.eventType,
  status: event.status,
  lastUpdateTime: theirInstant(event.lastUpdateTime),
  impactStartTime: theirInstant(event.impactStartTime),
  impactMitigationTime: theirInstant(event.impactMitigationTime),
  regions: regions(event.impact),
  support: event.enableMicrosoftSupport,
})
