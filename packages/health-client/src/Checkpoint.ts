/** Where a list of events goes on, to be kept while nobody reads it. */
import type * as Link from "@vigil/core-http/Link"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as PagingCheckpoint from "@vigil/paging/Checkpoint"
import type * as DateTime from "effect/DateTime"
import type * as Either from "effect/Either"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/**
 * A place in a list: the address of a page, or why the link to it may not be followed.
 *
 * @category models
 * @since 0.1.0
 */
export type Cursor = Either.Either<string, Link.Refusal>

/**
 * A place between two pages of a list of version `V`: the `next` one (`None` at the end), how many `pages` and `items` were
 * delivered on the way here, and `since` when events count, where the list was asked for those since an instant. Whom the
 * list is of, its filter and its start are in the link. Keep it as safe as the link, which may hold a secret.
 *
 * @category models
 * @since 0.1.0
 */
export interface Checkpoint<
  V extends ApiVersion.ApiVersion = ApiVersion.Latest,
> extends PagingCheckpoint.Checkpoint<Cursor> {
  /** The version of the list, and of what goes on from here. */
  readonly apiVersion: V
  readonly since: Option.Option<DateTime.Utc>
}

/**
 * A checkpoint as it is stored: `since` in milliseconds since 1970, `null` for `None`. `next`, `pages`, `items` and
 * `apiVersion` are as in the checkpoint.
 *
 * @category models
 * @since 0.1.0
 */
export interface Encoded<V extends ApiVersion.ApiVersion = ApiVersion.Latest> {
  readonly next: string | Link.Refusal | null
  readonly pages: number
  readonly items: number
  readonly apiVersion: V
  readonly since: number | null
}

const Refusal: Schema.Schema<Link.Refusal> = Schema.Struct({
  reason: Schema.Literal("malformed", "scheme", "userinfo", "origin"),
  origin: Schema.String,
  target: Schema.optional(Schema.String),
})

const place = PagingCheckpoint.schema(Schema.EitherFromUnion({ right: Schema.String, left: Refusal }))

/**
 * A checkpoint of a list of `version` as plain JSON; with `Schema.parseJson` around it, a text. What was stored of a list of
 * another version is a `ParseError`, and so is anything else. A link that somebody changed is not believed: it goes through
 * the same gate as every link, and one that leads away is a `LinkRefused`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const schema = <V extends ApiVersion.ApiVersion>(version: V): Schema.Schema<Checkpoint<V>, Encoded<V>> =>
  Schema.extend(
    place,
    Schema.Struct({
      apiVersion: Schema.Literal(version),
      since: Schema.OptionFromNullOr(Schema.DateTimeUtcFromNumber),
    }),
  )
