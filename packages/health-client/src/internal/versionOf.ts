/** The version of a call. */
import * as ApiVersion from "@vigil/health-schema/ApiVersion"

/**
 * The version that a call names, or the latest. The cast is true for a call without a version: `V` is then its default,
 * `ApiVersion.Latest`. TypeScript cannot relate a value to the default of a type parameter. It is wrong only for a caller that writes
 * another `V` by hand, or passes a variable of type `"2025-04-01" | undefined`.
 */
export const versionOf = <V extends ApiVersion.ApiVersion>(version: V | undefined): V =>
  version ?? (ApiVersion.latest as V)
