/** What the emerging issues of the service say: they name no resources. */
import type { EmergingIssue } from "@vigil/health-schema/EmergingIssue"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Labels from "@vigil/health-text/Labels"
import type { Evidence, Readings } from "../Evidence.js"
import * as Moment from "./moment.js"
import * as Places from "./places.js"
import * as Progress from "./progress.js"
import * as Statuses from "./statusEvidence.js"

type ActiveEvent = NonNullable<NonNullable<EmergingIssue["properties"]>["statusActiveEvents"]>[number]

const isNear = (
  { impacts }: ActiveEvent,
  location: string | null | undefined,
  serves: (name: string) => Places.Relation,
) =>
  !impacts?.length ||
  impacts.some(
    ({ name, regions }) =>
      serves(name ?? "") !== "other" &&
      (!regions?.length || regions.some((region) => Places.region(region.name ?? "", location) !== "other")),
  )

export const evidence = (readings: Readings): ReadonlyArray<Evidence> => {
  const { emergingIssues, metadata, resource } = readings
  const location = Statuses.latest(readings)?.location
  const serves = Places.service(metadata.items, ResourceId.type(resource))
  return emergingIssues.items
    .flatMap(({ properties }) => properties?.statusActiveEvents ?? [])
    .flatMap((issue): ReadonlyArray<Evidence> => {
      const progress = Progress.of(issue.stage)
      if (progress === "cancelled") return []
      const updated = Moment.parse(issue.lastModifiedTime)
      const regions = (issue.impacts ?? []).flatMap((impact) => (impact.regions ?? []).map(({ name }) => name))
      return [
        {
          cause: "platform",
          subject: isNear(issue, location, serves) ? "region" : "other",
          phase: progress,
          since: Moment.parse(issue.startTime),
          until: progress === "ended" ? updated : undefined,
          title: Labels.orElse(issue.title, "An emerging issue without a title"),
          trackingId: issue.trackingId || undefined,
          sources: ["emerging issues"],
          updated,
          services: Labels.distinct((issue.impacts ?? []).map(({ name }) => name)),
          regions: Labels.distinct(regions),
          impactedResources: undefined,
        },
      ]
    })
}
