/** Sensitive events: which of their texts a list withholds, to be fetched with `fetchEventDetails`. */
import { identity } from "effect/Function"
import type * as ApiVersion from "./ApiVersion.js"
import type * as HealthEvent from "./HealthEvent.js"
import { joinImpact } from "./internal/impactJoin.js"
import { fill } from "./internal/told.js"
import * as OpenEnum from "./OpenEnum.js"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>

/**
 * A text that a list withholds: `description` and `summary` of the event, and the `updates` of its regions (document,
 * "Referenced operation").
 *
 * @category models
 * @since 0.1.0
 */
export type Text = "description" | "summary" | "updates"

/**
 * Whether the event may hold sensitive data: `isEventSensitive`, and where that is absent, whether it is a security
 * advisory, as those were seen in lists without the flag (field notes, "Operations around the two lists").
 *
 * @category guards
 * @since 0.1.0
 */
export const isSensitive = (event: AnyEvent): boolean =>
  event.properties?.isEventSensitive ?? OpenEnum.equals(event.properties?.eventType, "SecurityAdvisory")

const isEmpty = (text: string | null | undefined) => text === null || text === undefined || text === ""

const isEmptyList = (list: ReadonlyArray<unknown> | null | undefined) => (list?.length ?? 0) === 0

/**
 * Which texts of a sensitive event are not there; none of any other event. An event with several regions counts as having
 * its updates when one region has some.
 *
 * @category getters
 * @since 0.1.0
 */
export const withheld = (event: AnyEvent): ReadonlyArray<Text> => {
  if (!isSensitive(event)) return []
  const { description, impact, summary } = event.properties ?? {}
  const hasUpdates = impact?.some(({ impactedRegions }) =>
    impactedRegions?.some(({ updates }) => !isEmptyList(updates)),
  )
  const texts: Array<Text> = []
  if (isEmpty(description)) texts.push("description")
  if (isEmpty(summary)) texts.push("summary")
  if (hasUpdates !== true) texts.push("updates")
  return texts
}

/**
 * Whether there may be more to an event than the list shows: it is sensitive, and one of its texts is not there.
 *
 * @category guards
 * @since 0.1.0
 */
export const isWithheld = (event: AnyEvent): boolean => withheld(event).length > 0

/**
 * The event with what its list withheld, taken from its details (the answer to `fetchEventDetails`). What the list told stays;
 * what it did not tell is as the details tell it, field by field in records such as `article`. Nothing is told by `null`, an
 * empty text, an empty list, and a record of nothing but those (field notes, "Payload oddities"). Where no region of the list
 * has updates, the services and regions of both are joined by the rules of `EventUnion`, the list being believed first, so
 * that those of the list get their updates and those that only the details name are added.
 *
 * @category combinators
 * @since 0.1.0
 */
export const reveal = <E extends AnyEvent>(event: E, details: E): E => {
  // Each field is that of one of the two, which are of one type.
  const whole = fill(event, details) as E
  const listed = event.properties?.impact ?? []
  const detailed = details.properties?.impact ?? []
  if (!withheld(event).includes("updates") || isEmptyList(listed) || isEmptyList(detailed)) return whole
  return { ...whole, properties: { ...whole.properties, impact: joinImpact([listed, detailed], identity) } }
}
