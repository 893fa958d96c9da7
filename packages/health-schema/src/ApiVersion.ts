/** Versions of the health events API: those that the document lists ("Versioning"), and any other. */
import * as Schema from "effect/Schema"
import * as Limits from "./Limits.js"

/**
 * A version that the document lists. Schemas and types that differ between versions are records with these keys.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Known = Schema.Literal("2025-05-01", "2025-04-01").annotations({ identifier: "KnownApiVersion" })

/**
 * @category models
 * @since 0.1.0
 */
export type Known = typeof Known.Type

const isKnown = Schema.is(Known)

/**
 * A version that the document does not list: any other text that is not empty (document, "Limits"). Made with `other`, or by
 * decoding a text with `ApiVersion`. Events of such a version are typed and checked as those of `latest`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Other = Schema.String.pipe(
  Schema.filter(
    (version) =>
      version.length < Limits.minApiVersionLength
        ? "An api-version must not be empty."
        : !isKnown(version) || `${version} is a known version: use the text itself.`,
    { jsonSchema: { minLength: Limits.minApiVersionLength } },
  ),
  Schema.brand("OtherApiVersion"),
  Schema.annotations({ identifier: "OtherApiVersion" }),
)

/**
 * @category models
 * @since 0.1.0
 */
export type Other = typeof Other.Type

/**
 * A version of the API, sent as the query parameter `api-version` with every request. Decodes any text that is not empty,
 * for versions that come from a configuration.
 *
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
 * The version that a call requests by default: the newest one that the document lists.
 *
 * @category constants
 * @since 0.1.0
 */
export const latest = "2025-05-01" satisfies Known

/**
 * The type of `latest`.
 *
 * @category models
 * @since 0.1.0
 */
export type Latest = typeof latest

/**
 * Every known version, newest first.
 *
 * @category constants
 * @since 0.1.0
 */
export const all: ReadonlyArray<Known> = Known.literals

/**
 * Makes a version that the document does not list, for services that support more. Throws on an empty text, and on a known
 * version, whose events may have another shape than those of `latest`. For a text from a configuration, which may be either,
 * decode it with `ApiVersion`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const other = (version: string): Other => Other.make(version)

/**
 * The known version whose schemas and types apply to a version: itself, or `latest` for any other.
 *
 * @category models
 * @since 0.1.0
 */
export type SchemaVersion<V extends ApiVersion> = V extends Known ? V : Latest

/**
 * Returns the known version whose schemas apply to a version: itself, or `latest` for any other.
 *
 * @category getters
 * @since 0.1.0
 */
export const schemaVersion = <V extends ApiVersion>(version: V): SchemaVersion<V> =>
  // A conditional type of a type parameter is not resolved here.
  (isKnown(version) ? version : latest) as SchemaVersion<V>
