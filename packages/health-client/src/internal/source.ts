/** A list of events. */
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type { Source } from "../Source.js"

/** A list of events of version `V`. */
export interface EventSource<V extends ApiVersion.ApiVersion> extends Source<HealthEvent.HealthEvent<V>> {
  readonly list: Source<never>["list"] & { readonly apiVersion: V }
}

/** Returns the version of a call, or the latest. TypeScript cannot relate a value to the default of `V`, so the type is asserted. */
export const versionOf = <V extends ApiVersion.ApiVersion>(version: V | undefined): V =>
  version ?? (ApiVersion.defaultVersion as V)
