/** Labels for the values of events. Unknown values stay as sent. */
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Severity from "./Severity.js"

const types: { readonly [T in (typeof Enumerations.EventType.known)[number]]: string } = {
  ServiceIssue: "Service issue",
  PlannedMaintenance: "Planned maintenance",
  HealthAdvisory: "Health advisory",
  RCA: "Post-incident review",
  EmergingIssues: "Emerging issue",
  SecurityAdvisory: "Security advisory",
  Billing: "Billing",
}

/** Returns the text, or `otherwise` if it is missing or blank. @category getters @since 0.2.0 */
export const orElse = (text: string | null | undefined, otherwise: string): string =>
  text === null || text === undefined || text.trim() === "" ? otherwise : text

/** Returns the type in words, such as `Planned maintenance`. @category getters @since 0.2.0 */
export const type = (event: HealthEvent.AnyEvent): string => {
  const sent = event.properties?.eventType
  const known = OpenEnum.find(Enumerations.EventType, sent)
  return known === undefined ? orElse(sent, "Event") : types[known]
}

/** Returns the known level, else the level as sent, else `No level`. @category getters @since 0.2.0 */
export const level = (event: HealthEvent.AnyEvent): string =>
  HealthEvent.knownLevel(event) ?? orElse(Severity.level(event), "No level")

/** Returns the known spelling of a status, else the status as sent, else `No status`. @category getters @since 0.2.0 */
export const status = (sent: string | null | undefined): string =>
  OpenEnum.find(Enumerations.EventStatus, sent) ?? orElse(sent, "No status")

/** Returns the title, else the tracking ID. @category getters @since 0.2.0 */
export const title = (event: HealthEvent.AnyEvent): string =>
  orElse(event.properties?.title, orElse(event.name, "An event without a title"))

/** Returns a timestamp to the minute, in UTC: `2026-03-10 12:00`. Empty for the year 0001, which means no time. One without an instant stays as sent. @category getters @since 0.2.0 */
export const minute = (timestamp: Timestamp.Timestamp | null | undefined): string =>
  Option.match(Timestamp.instant(timestamp), {
    onNone: () => (timestamp?.startsWith("0001-") ? "" : (timestamp ?? "")),
    onSome: (instant) => DateTime.formatIso(instant).slice(0, 16).replace("T", " "),
  })

/** Returns the name of a field in words, such as `impact mitigation time`. @category getters @since 0.3.0 */
export const field = (name: string): string =>
  name.replaceAll(/(?<=[a-z])[A-Z](?![A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)

/** Returns the names that are not blank, without duplicates. @category getters @since 0.2.0 */
export const distinct = (names: ReadonlyArray<string | null | undefined>): ReadonlyArray<string> => [
  ...new Set(names.filter((name): name is string => orElse(name, "") !== "")),
]

/** Returns the names of the impacted services. @category getters @since 0.2.0 */
export const services = ({ properties }: HealthEvent.AnyEvent): ReadonlyArray<string> =>
  distinct((properties?.impact ?? []).map(({ impactedService }) => impactedService))

/** Returns the names of the impacted regions. @category getters @since 0.2.0 */
export const regions = ({ properties }: HealthEvent.AnyEvent): ReadonlyArray<string> =>
  distinct(
    (properties?.impact ?? []).flatMap(({ impactedRegions }) =>
      (impactedRegions ?? []).map(({ impactedRegion }) => impactedRegion),
    ),
  )
