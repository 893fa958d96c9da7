/** What the emerging issues of the service say: they name no resources. */
import type { EmergingIssue } from "@vigil/health-schema/EmergingIssue"
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Labels from "@vigil/health-text/Labels"
import * as Moment from "@vigil/health-text/Moment"
import type { Evidence, Readings } from "../Evidence.js"
import * as Age from "./age.js"
import * as Places from "./places.js"
import * as Progress from "./progress.js"
import * as Statuses from "./statusEvidence.js"

type Banner = NonNullable<NonNullable<EmergingIssue["properties"]>["statusBanners"]>[number]

type ActiveEvent = NonNullable<NonNullable<EmergingIssue["properties"]>["statusActiveEvents"]>[number]

/** Whether it may concern the resource; `undefined`: it is about other regions only. */
const subjectOf = (
  { impacts }: ActiveEvent,
  region: (name: string) => Places.Relation,
  serves: (name: string) => Places.ServiceRelation,
): "region" | "other" | undefined => {
  if (!impacts?.length) return "region"
  const inRegion = impacts.filter(
    ({ regions }) => !regions?.length || regions.some(({ name }) => region(name ?? "") !== "other"),
  )
  if (inRegion.length === 0) return undefined
  return inRegion.some(({ name }) => serves(name ?? "") !== "other") ? "region" : "other"
}

const ofEvent = (issue: ActiveEvent, subject: "region" | "other"): Evidence | undefined => {
  const phase = Progress.of(issue.stage)
  const updated = Moment.parse(issue.lastModifiedTime)
  const regions = (issue.impacts ?? []).flatMap((impact) => (impact.regions ?? []).map(({ name }) => name))
  return phase === "cancelled"
    ? undefined
    : {
        cause: "platform",
        subject,
        phase,
        since: Moment.parse(issue.startTime),
        until: phase === "ended" ? updated : undefined,
        title: Labels.orElse(issue.title, "an emerging issue"),
        trackingId: issue.trackingId || undefined,
        sources: ["emerging issues"],
        updated,
        services: Labels.distinct((issue.impacts ?? []).map(({ name }) => name)),
        regions: Labels.distinct(regions),
        impactedResources: undefined,
      }
}

/** A banner names no service and no region. */
const ofBanner = ({ lastModifiedTime, message, title }: Banner): Evidence => ({
  ...Statuses.evidenceOf(
    {},
    {
      cause: "platform",
      subject: "region",
      phase: "now",
      title: Labels.orElse(title, Labels.orElse(message, "a banner of the service")),
      sources: ["emerging issues"],
    },
  ),
  updated: Moment.parse(lastModifiedTime),
})

/** Leaves out banners that repeat the title of an event or of an issue. */
export const distinct = (
  issues: ReadonlyArray<EmergingIssue>,
  events: ReadonlyArray<AnyEvent>,
): ReadonlyArray<EmergingIssue> => {
  const active = issues.flatMap(({ properties }) => properties?.statusActiveEvents ?? [])
  const titles = new Set([...events.map(({ properties }) => properties?.title), ...active.map(({ title }) => title)])
  return issues.map((issue) => {
    const { statusBanners, ...properties } = issue.properties ?? {}
    const banners = statusBanners?.filter(({ title }) => !titles.has(title)) ?? []
    return { ...issue, properties: { ...properties, statusBanners: banners } }
  })
}

/** Those of other regions are left out, and so are banners that were not changed in the last 24 hours. */
export const evidence = (readings: Readings): ReadonlyArray<Evidence> => {
  const { emergingIssues, metadata, now, resource } = readings
  const region = Places.region(metadata.items, Statuses.latest(readings)?.location)
  const serves = Places.service(metadata.items, ResourceId.type(resource))
  const issues = emergingIssues.items.flatMap(({ properties }) => properties?.statusActiveEvents ?? [])
  const banners = emergingIssues.items.flatMap(({ properties }) => properties?.statusBanners ?? [])
  return [
    ...issues.flatMap((issue) => {
      const subject = subjectOf(issue, region, serves)
      const found = subject && ofEvent(issue, subject)
      return found === undefined ? [] : [found]
    }),
    ...banners.filter(({ lastModifiedTime }) => Age.isFresh(Moment.parse(lastModifiedTime), now)).map(ofBanner),
  ]
}
