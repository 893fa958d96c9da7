/** A page of events (record `events`). */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as ApiVersion from "./ApiVersion.js"
import * as HealthEvent from "./HealthEvent.js"
import type { InvalidField } from "./InvalidField.js"
import { check } from "./internal/issue.js"
import { record, text } from "./internal/record.js"
import { defaultVendor, schemaVersion, variantOf } from "./internal/versions.js"

/** A page of version `V` as JSON. `value` is required. @category models @since 0.1.0 */
export interface EventsPage<V extends ApiVersion.ApiVersion = ApiVersion.Latest> {
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
export interface InvalidEntry {
  /** Its index in `value`. */
  readonly index: number
  /** The path of the invalid field, in the document's names; empty for the whole entry. */
  readonly path: string
  /** The reason, as a phrase that follows the path. */
  readonly reason: string
  /** The entry as it was sent. */
  readonly raw: unknown
}

/** A decoded page. @category models @since 0.1.0 */
export interface Page<V extends ApiVersion.ApiVersion = ApiVersion.Latest> {
  /** The valid events, in order. */
  readonly items: ReadonlyArray<HealthEvent.HealthEvent<V>>
  readonly invalid: ReadonlyArray<InvalidEntry>
  /** The link to the next page, unchanged; `None` on the last page. */
  readonly nextLink: Option.Option<string>
  /** The page as it was sent, with unknown fields. */
  readonly raw: unknown
}

const decodeEnvelope = check(
  record("EventsPage", { value: Schema.Array(Schema.Unknown), nextLink: text }),
  (input) =>
    Predicate.isRecord(input) &&
    Array.isArray(input["value"]) &&
    (Predicate.isString(input["nextLink"]) || input["nextLink"] === null),
)

/**
 * Decodes the parsed JSON of a page. InvalidEntry events do not fail the page: they are in `invalid`. An absent, `null`, empty or blank
 * `nextLink` ends the list. Fails with `InvalidField` if the body is not a page.
 * @category decoding @since 0.1.0
 */
export const decode = <V extends ApiVersion.ApiVersion>(version: V, options: HealthEvent.Options = {}) => {
  const decodeEvent = HealthEvent.decode(version, options)
  return (input: unknown): Either.Either<Page<V>, InvalidField> =>
    Either.map(decodeEnvelope(input), ({ nextLink, value }) => {
      const items: Array<HealthEvent.HealthEvent<V>> = []
      const invalid: Array<InvalidEntry> = []
      value.forEach((raw, index) => {
        const decoded = decodeEvent(raw)
        if (Either.isRight(decoded)) items.push(decoded.right)
        else invalid.push({ index, path: decoded.left.path, reason: decoded.left.reason, raw })
      })
      return {
        items,
        invalid,
        nextLink: Option.filter(Option.fromNullable(nextLink), (link) => link.trim() !== ""),
        raw: input,
      }
    })
}
