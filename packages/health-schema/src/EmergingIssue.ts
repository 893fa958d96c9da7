/** The issues that the service announces to everyone (record `emergingIssuesGetResult`): schema and decoding. */
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Enumerations from "./Enumerations.js"
import type { InvalidField } from "./InvalidField.js"
import { check } from "./internal/issue.js"
import * as page from "./internal/page.js"
import { optional, record, text } from "./internal/record.js"
import * as Timestamp from "./Timestamp.js"

const time = optional(Timestamp.Timestamp)

const impact = record("EmergingIssueImpact", {
  id: text,
  name: text,
  regions: optional(Schema.Array(record("ImpactedRegion", { id: text, name: text }))),
})

const properties = record("EmergingIssueProperties", {
  refreshTimestamp: time,
  statusBanners: optional(
    Schema.Array(record("StatusBanner", { title: text, message: text, cloud: text, lastModifiedTime: time })),
  ),
  statusActiveEvents: optional(
    Schema.Array(
      record("StatusActiveEvent", {
        title: text,
        description: text,
        trackingId: text,
        startTime: time,
        cloud: text,
        severity: optional(Enumerations.IssueSeverity),
        stage: optional(Enumerations.IssueStage),
        published: optional(Schema.Boolean),
        lastModifiedTime: time,
        impacts: optional(Schema.Array(impact)),
      }),
    ),
  ),
})

/** The schema of an entry, the same in every version. @category schemas @since 0.2.0 */
export const EmergingIssue = record("EmergingIssue", {
  id: text,
  name: text,
  type: text,
  properties: optional(properties),
})

/**
 * Banners and active events of every cloud, before they are events of a subscription. Every field is optional, `null` means absent, and unknown
 * fields are kept.
 * @category models @since 0.2.0
 */
export interface EmergingIssue extends Schema.Schema.Type<typeof EmergingIssue> {}

/** The schema of a page. @category schemas @since 0.2.0 */
export const IssuesPage = /* @__PURE__ */ page.optionalSchema("EmergingIssuesPage", EmergingIssue)

/** Checks parsed JSON and returns the input itself; see `HealthEvent.decode`. @category decoding @since 0.2.0 */
export const decode: (input: unknown) => Result.Result<EmergingIssue, InvalidField> = check(EmergingIssue)

/** Decodes the parsed JSON of a page; see `EventsPage.decode`. A page without `value` is empty. @category decoding @since 0.2.0 */
export const decodePage: (input: unknown) => Result.Result<page.Page<EmergingIssue>, InvalidField> =
  page.decodeOptionalPage(decode)
