/** The values that the service supports, such as its services and regions (record `MetadataEntity`): schema and decoding. */
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Enumerations from "./Enumerations.js"
import type { InvalidField } from "./InvalidField.js"
import { check } from "./internal/issue.js"
import * as page from "./internal/page.js"
import { int32, optional, record, text } from "./internal/record.js"

const texts = optional(Schema.Array(Schema.String))

const supportedValue = record("SupportedValue", {
  id: text,
  previousId: text,
  serviceGuid: text,
  displayName: text,
  resourceTypes: texts,
  priority: optional(int32),
})

const properties = record("MetadataProperties", {
  displayName: text,
  dependsOn: texts,
  applicableScenarios: optional(Schema.Array(Enumerations.Scenario)),
  supportedValues: optional(Schema.Array(supportedValue)),
})

/** The schema of an entry, the same in every version. @category schemas @since 0.2.0 */
export const Metadata = record("Metadata", { id: text, name: text, type: text, properties: optional(properties) })

/**
 * A list of supported values, by its `name`, such as `region` or `impactedService`. Every field is optional, `null` means absent, and unknown
 * fields are kept.
 * @category models @since 0.2.0
 */
export interface Metadata extends Schema.Schema.Type<typeof Metadata> {}

/** The schema of a page. @category schemas @since 0.2.0 */
export const MetadataPage = /* @__PURE__ */ page.optionalSchema("MetadataPage", Metadata)

/** Checks parsed JSON and returns the input itself; see `HealthEvent.decode`. @category decoding @since 0.2.0 */
export const decode: (input: unknown) => Result.Result<Metadata, InvalidField> = check(Metadata)

/** Decodes the parsed JSON of a page; see `EventsPage.decode`. A page without `value` is empty. @category decoding @since 0.2.0 */
export const decodePage: (input: unknown) => Result.Result<page.Page<Metadata>, InvalidField> =
  page.decodeOptionalPage(decode)
