/** What the stories of the world share: the shape of an event, times, impact and priority. */
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type { Dice } from "./dice.js"
import type { Service } from "./places.js"

/** An event of the latest version, nothing withheld. */
export type WireEvent = HealthEvent.Encoded

/** Its properties. */
type WireProperties = NonNullable<WireEvent["properties"]>

/** What they say of impact and of links. */
export type WireImpact = NonNullable<WireProperties["impact"]>
export type WireLinks = NonNullable<WireProperties["links"]>

/** What every story is told from. Times are milliseconds since 1970. */
export interface Setting {
  readonly dice: Dice
  readonly trackingId: string
  readonly now: number
  readonly lastUpdate: number
  readonly service: Service
  readonly regions: ReadonlyArray<string>
  readonly subscriptions: ReadonlyArray<string>
  /** Spells a time as this event's author does. */
  readonly time: (at: number) => string
}

/** A story: the properties of an event of one kind. */
export type Story = (setting: Setting) => WireProperties

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** The spellings that services are seen to use: 0, 3 and 7 fraction digits, and now and then no zone. */
export const spelling = (dice: Dice): ((at: number) => string) => {
  const style = dice.between(1, 10)
  return (at) => {
    const [seconds = "", fraction = ""] = new Date(at).toISOString().slice(0, 23).split(".")
    if (style <= 4) return `${seconds}Z`
    if (style <= 6) return `${seconds}.${fraction}Z`
    return style === 10 ? seconds : `${seconds}.${fraction}0530Z`
  }
}

/** Regions as a reader would name them: "A", "A and B", "A, B and C". */
export const enumerate = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`

/** The flags of an ordinary event. */
export const ordinary = { isEventSensitive: false, isHIR: false, platformInitiated: true } as const

/** The impact on one service: the same status and update in every region. */
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

const types = ["ServiceIssue", "PlannedMaintenance", "HealthAdvisory"]
const statuses = ["Active", "Resolved"]
const levels = ["Critical", "Error", "Warning", "Informational"]

/** The priority of an event, from 0 (highest) to 23: by type, status and level (document, "Priority ordering rules"). None for other types. */
export const priority = (type: string, status: string, level: string): { readonly priority?: number } => {
  const rank = types.indexOf(type)
  return rank === -1 ? {} : { priority: rank * 8 + statuses.indexOf(status) * 4 + levels.indexOf(level) }
}
