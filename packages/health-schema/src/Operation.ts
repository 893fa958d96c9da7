/** An operation of the service, for access control (record `operation`): schema and decoding. */
import type * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import type { InvalidField } from "./InvalidField.js"
import { check } from "./internal/issue.js"
import * as page from "./internal/page.js"
import { optional, record, text } from "./internal/record.js"

/** The schema of an operation, the same in every version. @category schemas @since 0.2.0 */
export const Operation = record("Operation", {
  name: text,
  display: optional(record("OperationDisplay", { provider: text, resource: text, operation: text, description: text })),
})

/**
 * An operation, by its `name`, such as `Vendor.ResourceHealth/events/read`. Every field is optional, `null` means absent, and unknown fields are
 * kept.
 * @category models @since 0.2.0
 */
export interface Operation extends Schema.Schema.Type<typeof Operation> {}

/** The schema of the list, which has one page. @category schemas @since 0.2.0 */
export const OperationsPage = /* @__PURE__ */ page.schema("OperationsPage", Operation)

/** Decodes the parsed JSON of the list; see `EventsPage.decode`. @category decoding @since 0.2.0 */
export const decodePage: (input: unknown) => Result.Result<page.Page<Operation>, InvalidField> = page.decodePage(
  check(Operation),
)
