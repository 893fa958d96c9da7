/** Names of records. */
import { isSegment } from "@vigil/core-http/PathSegment"
import * as Schema from "effect/Schema"

/** The `name` of a record, such as an impacted resource or metadata. It has the rules of `SubscriptionId`. @category schemas @since 0.2.0 */
export const RecordName = Schema.String.pipe(
  Schema.check(Schema.makeFilter(isSegment)),
  Schema.annotate({ identifier: "RecordName" }),
  Schema.brand("@vigil/health-client/RecordName"),
)

/** @category models @since 0.2.0 */
export type RecordName = typeof RecordName.Type

/** Creates a name. Throws `SchemaError`: decode untrusted text with `RecordName`. @category constructors @since 0.2.0 */
export const make: (text: string) => RecordName = /* @__PURE__ */ Schema.decodeSync(RecordName)
