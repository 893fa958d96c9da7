/** The API version of a call. */
import * as ApiVersion from "@vigil/health-schema/ApiVersion"

/** Returns the version, or the latest, which is the default of `V`: TypeScript cannot relate a value to it. */
export const versionOf = <V extends ApiVersion.ApiVersion>(version: V | undefined): V =>
  version ?? (ApiVersion.latest as V)
