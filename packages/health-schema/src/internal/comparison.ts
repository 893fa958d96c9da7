/** How the texts of an event compare (field notes: "Payload oddities"). */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Timestamp from "../Timestamp.js"
import { canonical, type Fold, type Rules } from "./canonical.js"

/** Enumerations and IDs ignore case. */
const name: Fold = (text) => text.toLowerCase()

/** Times are equal if their instants are, whatever their digits and zones. A time without an instant means absent. */
const time: Fold = (text) =>
  Timestamp.isTimestamp(text)
    ? Option.match(Timestamp.instant(text), { onNone: () => "", onSome: (at) => String(DateTime.toEpochMillis(at)) })
    : text

export const update = { eventTags: name, updateDateTime: time } satisfies Rules

export const updateKey = (one: object): string => canonical(one, update)

export const region = {
  impactedSubscriptions: name,
  impactedTenants: name,
  lastUpdateTime: time,
  status: name,
  updates: update,
} satisfies Rules

export const service = { impactedServiceGuid: name, impactedRegions: region } satisfies Rules

export const properties = {
  eventLevel: name,
  eventSource: name,
  eventSubType: name,
  eventTags: name,
  eventType: name,
  impact: service,
  impactMitigationTime: time,
  impactStartTime: time,
  lastUpdateTime: time,
  level: name,
  links: { type: name },
  status: name,
} satisfies Rules

export const event = {
  id: name,
  name,
  properties,
  systemData: { createdAt: time, createdByType: name, lastModifiedAt: time, lastModifiedByType: name },
  type: name,
} satisfies Rules
