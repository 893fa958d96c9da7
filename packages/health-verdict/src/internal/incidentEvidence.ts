/** What a status says about incidents of the platform: they may affect the resource. */
import type { AvailabilityStatus } from "@vigil/health-schema/AvailabilityStatus"
import * as Labels from "@vigil/health-text/Labels"
import * as Moment from "@vigil/health-text/Moment"
import type { Evidence, Source } from "../Evidence.js"
import * as Age from "./age.js"
import * as Progress from "./progress.js"

/** How long the service may leave an incident without an update. */
const maxAge = 30 * 24 * Age.hour

const phaseOf = (since: number | undefined, updated: number | undefined, word: string, now: number) => {
  const progress = Progress.of(word)
  if (progress !== "now") return progress
  if (Moment.isFuture(since, now)) return "upcoming"
  return now - (updated ?? since ?? now) > maxAge ? "stale" : "now"
}

const isPlanned = (type: string): boolean => /maintenance|planned/i.test(type) && !/unplanned/i.test(type)

export const evidence = (status: AvailabilityStatus, source: Source, now: number): ReadonlyArray<Evidence> =>
  (status.properties?.serviceImpactingEvents ?? []).flatMap((incident): ReadonlyArray<Evidence> => {
    const { incidentType, region, service, title } = incident.incidentProperties ?? {}
    const since = Moment.parse(incident.eventStartTime)
    const updated = Moment.parse(incident.eventStatusLastModifiedTime)
    const phase = phaseOf(since, updated, incident.status?.value ?? "", now)
    if (phase === "cancelled") return []
    return [
      {
        cause: isPlanned(incidentType ?? "") ? "maintenance" : "platform",
        subject: "service",
        phase,
        since,
        until: phase === "ended" ? (updated ?? since) : undefined,
        title: Labels.orElse(title, `an incident of ${Labels.orElse(service, "a service")}`),
        trackingId: undefined,
        sources: [source],
        updated,
        services: Labels.distinct([service]),
        regions: Labels.distinct([region]),
        impactedResources: undefined,
      },
    ]
  })
