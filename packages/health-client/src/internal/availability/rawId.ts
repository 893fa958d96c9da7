/** The resource of an entry that does not decode. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Predicate from "effect/Predicate"

/** Returns the ID of the resource in an entry; `undefined` if it has none. */
export const resourceIdOf = (raw: unknown): string | undefined =>
  Predicate.hasProperty(raw, "id") && typeof raw.id === "string"
    ? AvailabilityStatus.resourceId({ id: raw.id })
    : undefined
