/** The versions of the health events API that the document shows ("Versioning"). */
import * as Schema from "effect/Schema"

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
