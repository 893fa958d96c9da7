/** What both clients say of an event, in one form, so that it can be compared. */
import type { Event } from "@azure/arm-resourcehealth"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Option from "effect/Option"

/** An event as both know it; times are milliseconds since 1970, nothing where there is no time. */
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

/** The fields of an event that are times. */
export const times = ["lastUpdateTime", "impactStartTime", "impactMitigationTime"] as const

/** How many regions are impacted, over all services. */
const regions = (
  impact: ReadonlyArray<{ readonly impactedRegions?: ReadonlyArray<unknown> | null | undefined }> | null | undefined,
) => (impact ?? []).reduce((sum, { impactedRegions }) => sum + (impactedRegions?.length ?? 0), 0)

/** An instant of ours. */
export const instant = (timestamp: Timestamp.Timestamp | null | undefined): number | undefined =>
  Option.getOrUndefined(Option.map(Timestamp.instant(timestamp), ({ epochMillis }) => epochMillis))

/**
 * An instant of theirs. Where ours is none they have an Invalid Date for an empty text, and a date in the year 1 for the
 * year 0001: both are "not yet".
 */
const theirInstant = (date: Date | null | undefined): number | undefined =>
  date === null || date === undefined || Number.isNaN(date.getTime()) || date.getUTCFullYear() <= 1
    ? undefined
    : date.getTime()

/** What our client says. */
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

/** What the official client says. */
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
