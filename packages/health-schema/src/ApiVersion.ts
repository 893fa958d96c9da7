/** Versions of the health events API: the known ones (document, "Versioning"), and any other. */
import * as Schema from "effect/Schema"
import * as table from "./internal/versions.js"

/**
 * Every known version, newest first.
 * @category constants
 * @since 0.1.0
 */
export const all = Object.keys(table.versions) as ReadonlyArray<table.Version>

/**
 * A version that the document lists. Each known version has its own types and schemas.
 * @category schemas
 * @since 0.1.0
 */
export const Known = Schema.Literal(...all).annotations({ identifier: "KnownApiVersion" })

/**
 * @category models
 * @since 0.1.0
 */
export type Known = table.Version

const isKnown = Schema.is(Known)

/**
 * Any other non-empty version (document, "Limits"). Create it with `other`, or decode it with `ApiVersion`. Events of such a version
 * are typed and checked as events of `latest`.
 * @category schemas
 * @since 0.1.0
 */
export const Other = Schema.NonEmptyString.pipe(
  Schema.filter((version) => !isKnown(version) || `${version} is a known version: use the text itself.`),
  Schema.brand("OtherApiVersion"),
  Schema.annotations({ identifier: "OtherApiVersion" }),
)

/**
 * @category models
 * @since 0.1.0
 */
export type Other = typeof Other.Type

/**
 * A version of the API, sent as the query parameter `api-version` with every request. Decodes any non-empty text, for versions
 * from a configuration.
 * @category schemas
 * @since 0.1.0
 */
export const ApiVersion = Schema.Union(Known, Other).annotations({ identifier: "ApiVersion" })

/**
 * @category models
 * @since 0.1.0
 */
export type ApiVersion = Known | Other

/**
 * The default version of calls: the newest known version.
 * @category constants
 * @since 0.1.0
 */
export const latest = table.latest

/**
 * The type of `latest`.
 * @category models
 * @since 0.1.0
 */
export type Latest = typeof latest

/**
 * Creates a version that the document does not list. Throws if the text is empty or a known version. If the text comes from a
 * configuration, decode it with `ApiVersion` instead.
 * @category constructors
 * @since 0.1.0
 */
export const other = (version: string): Other => Other.make(version)
