/** A page of events (record `events`). */
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as ApiVersion from "./ApiVersion.js"
import * as HealthEvent from "./HealthEvent.js"
import type { InvalidField } from "./InvalidField.js"
import * as page from "./internal/page.js"
import { record, text } from "./internal/record.js"
import { defaultVendor, schemaVersion, variantOf } from "./internal/versions.js"

/** A page of version `V` as JSON. `value` is required. @category models @since 0.1.0 */
export interface EventsPage<V extends ApiVersion.ApiVersion = ApiVersion.Default> {
  readonly value: ReadonlyArray<HealthEvent.HealthEvent<V>>
  readonly nextLink?: string | null
}

/** Returns the schema of a page of events of a version and vendor. @category schemas @since 0.1.0 */
export const schema = <V extends ApiVersion.ApiVersion>(version: V, options: HealthEvent.Options = {}) =>
  record(
    "EventsPage",
    { value: Schema.Array(HealthEvent.schema(version, options)), nextLink: text },
    variantOf(schemaVersion(version), options.vendor ?? defaultVendor),
  )

/** An entry of `value` that is not an event of the version. @category models @since 0.1.0 */
export interface InvalidEntry extends page.InvalidEntry {}

/** A decoded page. @category models @since 0.1.0 */
export interface Page<V extends ApiVersion.ApiVersion = ApiVersion.Default> extends page.Page<
  HealthEvent.HealthEvent<V>
> {}

/**
 * Decodes the parsed JSON of a page. Invalid events do not fail the page: they are in `invalid`. An absent, `null`, empty or blank
 * `nextLink` ends the list. Fails with `InvalidField` if the body is not a page.
 * @category decoding @since 0.1.0
 */
export const decode = <V extends ApiVersion.ApiVersion>(
  version: V,
  options: HealthEvent.Options = {},
): ((input: unknown) => Result.Result<Page<V>, InvalidField>) => page.decodePage(HealthEvent.decode(version, options))
