/** Emerging issues as events, for lists, reports and metrics. Verdicts take the issues themselves, which name no resources. */
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type { EmergingIssue } from "@vigil/health-schema/EmergingIssue"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Result from "effect/Result"
import * as Progress from "./internal/progress.js"

type Properties = NonNullable<EmergingIssue["properties"]>

type ActiveEvent = NonNullable<Properties["statusActiveEvents"]>[number]

type Banner = NonNullable<Properties["statusBanners"]>[number]

const decode = HealthEvent.decode(ApiVersion.defaultVersion)

const eventType = "EmergingIssues"

/** The words of issues for their severity, where events have others. */
const levelOf = (severity: ActiveEvent["severity"]) =>
  OpenEnum.equals(severity, "Information") ? "Informational" : severity

const isOver = (stage: string | null | undefined): boolean => ["cancelled", "ended"].includes(Progress.of(stage))

const ofIssue = (issue: ActiveEvent): unknown => {
  const { description, impacts, lastModifiedTime, severity, stage, startTime, title, trackingId } = issue
  const status = isOver(stage) ? "Resolved" : "Active"
  return {
    id: trackingId && `/emergingIssues/${trackingId}`,
    name: trackingId,
    type: eventType,
    properties: {
      eventType,
      title,
      summary: description,
      status,
      level: levelOf(severity),
      impactStartTime: startTime,
      impactMitigationTime: status === "Resolved" ? lastModifiedTime : undefined,
      lastUpdateTime: lastModifiedTime,
      impact: impacts?.map(({ name, regions }) => ({
        impactedService: name,
        impactedRegions: regions?.map((region) => ({ impactedRegion: region.name, status })),
      })),
    },
  }
}

/** A banner has no tracking ID, and names no service and no region. */
const ofBanner = ({ lastModifiedTime, message, title }: Banner): unknown => ({
  id: `/emergingIssues/banners/${title ?? message}`,
  type: eventType,
  properties: {
    eventType,
    title: title ?? message,
    summary: message,
    status: "Active",
    level: "Informational",
    lastUpdateTime: lastModifiedTime,
  },
})

/** Without the fields that are `undefined`, which JSON does not have. */
const toJson = (event: unknown): unknown => JSON.parse(JSON.stringify(event))

/** Converts the active events and the banners of issues. One that is no valid event is left out. @category conversions @since 0.4.0 */
export const make = (issues: ReadonlyArray<EmergingIssue>): ReadonlyArray<AnyEvent> =>
  issues.flatMap(({ properties }) =>
    [
      ...(properties?.statusActiveEvents ?? []).map(ofIssue),
      ...(properties?.statusBanners ?? []).map(ofBanner),
    ].flatMap((event) => {
      const decoded = decode(toJson(event))
      return Result.isSuccess(decoded) ? [decoded.success] : []
    }),
  )

/**
 * Leaves out banners that repeat the title of an event. `others` has the events of all lists.
 * @category filtering @since 0.4.0
 */
export const distinct = (
  emerging: ReadonlyArray<AnyEvent>,
  others: ReadonlyArray<AnyEvent>,
): ReadonlyArray<AnyEvent> => {
  const isBanner = ({ name }: AnyEvent) => !name
  const titles = new Set(
    [...emerging, ...others].flatMap((event) => (isBanner(event) ? [] : [event.properties?.title])),
  )
  return emerging.filter((event) => !isBanner(event) || !titles.has(event.properties?.title))
}
