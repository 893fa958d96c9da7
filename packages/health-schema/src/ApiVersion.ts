/** The versions of the health events API that the document shows ("Versioning"). */
import * as Schema from "effect/Schema"
import * as Limits from "./Limits.js"

/**
 * A version of the API, sent as the query parameter `api-version` with every request.
 *
 * @category models
 * @since 0.1.0
 */
export const ApiVersion = Schema.Literal("2025-05-01", "2025-04-01").annotations({ identifier: "ApiVersion" })

/**
 * @category models
 * @since 0.1.0
 */
export type ApiVersion = typeof ApiVersion.Type

/**
 * The version that is asked for when a call names none: the newest one, `2025-05-01`.
 *
 * @category constants
 * @since 0.1.0
 */
export const latest = "2025-05-01" satisfies ApiVersion

/**
 * The type of `latest`: of what a call is about that names no version.
 *
 * @category models
 * @since 0.1.0
 */
export type Latest = typeof latest

/**
 * Every version of the document, newest first.
 *
 * @category constants
 * @since 0.1.0
 */
export const all: ReadonlyArray<ApiVersion> = ["2025-05-01", "2025-04-01"]

/**
 * A version that the document does not show, for services that have others: any text that is not empty (document,
 * "Limits"). It is typed, and its events are checked, as the newest one. Throws on an empty text.
 *
 * @category constructors
 * @since 0.1.0
 */
export const other = (version: string): Latest => {
  if (version.length < Limits.minApiVersionLength) throw new Error("An api-version has at least one character.")
  return version as Latest
}

/**
 * The version of the document that a version is read as: itself, or the newest.
 *
 * @category getters
 * @since 0.1.0
 */
export const known = <V extends ApiVersion>(version: V): V =>
  // What is none of the document's was made by `other`, and typed as the newest.
  all.includes(version) ? version : (latest as V)
