/** The API version of a call. */
import * as ApiVersion from "@vigil/health-schema/ApiVersion"

/** Returns the version, or the latest. TypeScript cannot relate a value to the default of `V`, so the type is asserted. */
export const versionOf = <V extends ApiVersion.ApiVersion>(version: V | undefined): V =>
  version ?? (ApiVersion.latest as V)
