/** Sensitive events, whose texts lists withhold. */
import { identity } from "effect/Function"
import type * as HealthEvent from "./HealthEvent.js"
import { fillEmpty } from "./internal/fillEmpty.js"
import { mergeImpact } from "./internal/mergeImpact.js"
import * as OpenEnum from "./OpenEnum.js"

/** A text that lists withhold. `updates` are those of regions. @category models @since 0.1.0 */
export type WithheldText = "description" | "summary" | "updates"

/** Returns `isEventSensitive`. If it is absent, security advisories are sensitive. @category guards @since 0.1.0 */
export const isSensitive = (event: HealthEvent.AnyEvent): boolean =>
  event.properties?.isEventSensitive ?? OpenEnum.equals(event.properties?.eventType, "SecurityAdvisory")

/**
 * Returns the texts that a sensitive event lacks; empty for any other event. `updates` is missing if no region has any.
 * @category getters @since 0.1.0
 */
export const withheldTexts = (event: HealthEvent.AnyEvent): ReadonlyArray<WithheldText> => {
  const { description, impact, summary } = event.properties ?? {}
  const hasUpdates = impact?.some(({ impactedRegions }) => impactedRegions?.some(({ updates }) => updates?.length))
  const present = { description, summary, updates: hasUpdates }
  const texts = ["description", "summary", "updates"] as const
  return isSensitive(event) ? texts.filter((text) => !present[text]) : []
}

/** Returns whether `fetchEventDetails` may return more than the list: a sensitive event lacks a text. @category guards @since 0.1.0 */
export const hasWithheldTexts = (event: HealthEvent.AnyEvent): boolean => withheldTexts(event).length > 0

/**
 * Adds event details to a listed event: they fill its empty fields, also in nested records. `null`, empty texts, empty lists, and records
 * of only those are empty. If no listed region has updates, the impact is merged by the rules of `EventUnion.merge`.
 * @category combinators @since 0.1.0
 */
export const addDetails = <E extends HealthEvent.AnyEvent>(event: E, details: E): E => {
  // Both have the same type.
  const filled = fillEmpty(event, details) as E
  const [listed, detailed] = [event.properties?.impact, details.properties?.impact]
  if (!withheldTexts(event).includes("updates") || !listed?.length || !detailed?.length) return filled
  return { ...filled, properties: { ...filled.properties, impact: mergeImpact([listed, detailed], identity) } }
}
