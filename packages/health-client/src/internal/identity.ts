/**
 * When two entries are the same. `id` identifies a record of a list, `name` (the tracking ID) identifies the event over
 * subscriptions (field notes, "Payload oddities"). Both are compared without regard to case; empty is absent.
 */
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"

const text = (entry: unknown, field: "id" | "name"): string | undefined => {
  const value = Predicate.isRecord(entry) ? entry[field] : undefined
  return typeof value === "string" && value !== "" ? value.toLowerCase() : undefined
}

/** The key of an event over subscriptions: its name. */
export const trackingKey = (entry: unknown): string | undefined => text(entry, "name")

/** The key of a record in the list of one subscription or resource: its ID, else its name. */
export const recordKey = (entry: unknown): string | undefined => text(entry, "id") ?? trackingKey(entry)

/** Leaves out events whose record was emitted before. Events without a key stay. */
export const distinct = <V extends ApiVersion.ApiVersion, E, R>(
  events: Stream.Stream<HealthEvent.HealthEvent<V>, E, R>,
): Stream.Stream<HealthEvent.HealthEvent<V>, E, R> =>
  Stream.suspend(() => {
    const keys = new Set<string>()
    return Stream.filter(events, (event) => {
      const key = recordKey(event)
      return key === undefined || keys.size < keys.add(key).size
    })
  })
