/** A page of events (record `events`), in which one bad event does not cost the others. */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ApiVersion from "./ApiVersion.js"
import * as HealthEvent from "./HealthEvent.js"
import type { InvalidField } from "./InvalidField.js"
import { check } from "./internal/issue.js"
import { list, optional, record } from "./internal/record.js"
import { defaultVendor, variant } from "./internal/vendor.js"

const pagesOf = ({ vendor = defaultVendor }: HealthEvent.Options) => ({
  "2025-05-01": record(
    "EventsPage",
    { value: list(HealthEvent.schema("2025-05-01", { vendor })), nextLink: optional(Schema.String) },
    variant("2025-05-01", vendor),
  ),
  "2025-04-01": record(
    "EventsPage",
    { value: list(HealthEvent.schema("2025-04-01", { vendor })), nextLink: optional(Schema.String) },
    variant("2025-04-01", vendor),
  ),
})

/**
 * The page as the document shows it, in each version. `value` is required: a body without it is not a page of no events. These are
 * the schemas of the default vendor; `schema` returns those of any vendor.
 *
 * @category schemas
 * @since 0.1.0
 */
export const EventsPage = pagesOf({})

/**
 * A page of version `V` as it is on the wire.
 *
 * @category models
 * @since 0.1.0
 */
export type EventsPage<V extends ApiVersion.ApiVersion = ApiVersion.Latest> = Schema.Schema.Type<
  (typeof EventsPage)[ApiVersion.SchemaVersion<V>]
>

/**
 * Returns the schema of a page of events of a version and vendor.
 *
 * @category schemas
 * @since 0.1.0
 */
export const schema = <V extends ApiVersion.ApiVersion>(
  version: V,
  options: HealthEvent.Options = {},
): (typeof EventsPage)[ApiVersion.SchemaVersion<V>] => pagesOf(options)[ApiVersion.schemaVersion(version)]

/**
 * An entry of `value` that is not an event of the version: where it stood, what is wrong with it, and what was sent.
 *
 * @category models
 * @since 0.1.0
 */
export interface Invalid {
  /** Its place in `value`, from 0 on. */
  readonly index: number
  /** The place in it that is wrong, in the document's names; empty for all of it. */
  readonly path: string
  /** What is wrong there, in words that follow the place. */
  readonly reason: string
  /** What was sent. */
  readonly raw: unknown
}

/**
 * A page, read: its good events in order, the others apart, and the link to the next page if there is one. `raw` is the
 * page as it was sent, with whatever else stood in it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Page<V extends ApiVersion.ApiVersion = ApiVersion.Latest> {
  /** The events, as they were sent. */
  readonly items: ReadonlyArray<HealthEvent.HealthEvent<V>>
  /** The entries that are none. */
  readonly invalid: ReadonlyArray<Invalid>
  /** The link to the next page, byte for byte; `None` on the last one. */
  readonly nextLink: Option.Option<string>
  readonly raw: unknown
}

const envelope = check(record("EventsPage", { value: list(Schema.Unknown), nextLink: optional(Schema.String) }))

/**
 * Reads the parsed JSON of a page. An absent, `null`, empty or blank `nextLink` is the end of the list; an empty page
 * with a link is not. Fails only when the body is no page at all.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = <V extends ApiVersion.ApiVersion>(version: V, options: HealthEvent.Options = {}) => {
  const event = HealthEvent.decode(version, options)
  return (input: unknown): Either.Either<Page<V>, InvalidField> =>
    Either.map(envelope(input), ({ nextLink, value }) => {
      const items: Array<HealthEvent.HealthEvent<V>> = []
      const invalid: Array<Invalid> = []
      value.forEach((raw, index) => {
        const decoded = event(raw)
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
