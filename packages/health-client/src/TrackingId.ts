/** The identifier of an event, the same in every subscription that it concerns. */
import * as Schema from "effect/Schema"
import { isSegment } from "@vigil/core-http/PathSegment"

/**
 * An event's tracking id (document, "Referenced operation"), which is the `name` of its record (field notes, "Payload
 * oddities"): at least one character. What would change the path that it becomes part of is refused: `/`, `\`, `?`, `#`,
 * `%`, control characters, and `.` or `..` alone.
 * @category schemas
 * @since 0.1.0
 */
export const TrackingId = Schema.String.pipe(
  Schema.filter(isSegment),
  Schema.brand("@vigil/health-client/TrackingId", { identifier: "TrackingId" }),
)

/**
 * The tracking id of an event.
 * @category models
 * @since 0.1.0
 */
export type TrackingId = typeof TrackingId.Type

/**
 * Makes an identifier of a text that is known to be one; throws a `ParseError` on any other. Decode with `TrackingId`
 * what comes from outside.
 * @category constructors
 * @since 0.1.0
 */
export const make = (text: string): TrackingId => TrackingId.make(text)
