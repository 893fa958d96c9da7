/** Sensitive events: which of their texts a list withholds, until they are requested with `fetchEventDetails`. */
import { identity } from "effect/Function"
import type * as ApiVersion from "./ApiVersion.js"
import type * as HealthEvent from "./HealthEvent.js"
import { fillEmpty } from "./internal/fillEmpty.js"
import { mergeImpact } from "./internal/mergeImpact.js"
import * as OpenEnum from "./OpenEnum.js"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>

/**
 * A text that lists withhold: `description` and `summary` of the event, and the `updates` of its regions (document,
 * "Referenced operation").
 * @category models
 * @since 0.1.0
 */
export type Text = "description" | "summary" | "updates"

/**
 * Returns whether the event may hold sensitive data: `isEventSensitive`. If that is absent, a security advisory is sensitive, because
 * lists contain security advisories without it (field notes, "Operations around the two lists").
 * @category guards
 * @since 0.1.0
 */
export const isSensitive = (event: AnyEvent): boolean =>
  event.properties?.isEventSensitive ?? OpenEnum.equals(event.properties?.eventType, "SecurityAdvisory")

/**
 * Returns the texts that a sensitive event lacks; none for any other event. `updates` is missing if no region has any.
 * @category getters
 * @since 0.1.0
 */
export const withheldTexts = (event: AnyEvent): ReadonlyArray<Text> => {
  const { description, impact, summary } = event.properties ?? {}
  const hasUpdates = impact?.some(({ impactedRegions }) => impactedRegions?.some(({ updates }) => updates?.length))
  const present = { description, summary, updates: hasUpdates }
  const texts = ["description", "summary", "updates"] as const
  return isSensitive(event) ? texts.filter((text) => !present[text]) : []
}

/**
 * Returns whether `fetchEventDetails` may return more than the list did: a sensitive event lacks a text.
 * @category guards
 * @since 0.1.0
 */
export const hasWithheldTexts = (event: AnyEvent): boolean => withheldTexts(event).length > 0

/**
 * Adds the details of an event (the response of `fetchEventDetails`) to the event of a list. The details fill the fields that are empty
 * in the list, also in nested records such as `article`. `null`, empty texts, empty lists, and records of only those are empty (field
 * notes, "Payload oddities"). If no region of the list has updates, the services and regions of both are merged by the rules of
 * `EventUnion.merge`, with the list first.
 * @category combinators
 * @since 0.1.0
 */
export const reveal = <E extends AnyEvent>(event: E, details: E): E => {
  // Each field comes from `event` or from `details`, which have the same type.
  const whole = fillEmpty(event, details) as E
  const [listed, detailed] = [event.properties?.impact, details.properties?.impact]
  if (!withheldTexts(event).includes("updates") || !listed?.length || !detailed?.length) return whole
  return { ...whole, properties: { ...whole.properties, impact: mergeImpact([listed, detailed], identity) } }
}
