/** The version that a call is about. */
import * as ApiVersion from "@vigil/health-schema/ApiVersion"

/** Options that may name a version. */
export interface Versioned<V extends ApiVersion.ApiVersion> {
  readonly apiVersion?: V | undefined
}

/** The version of a call: the one that is named, and else, as the overloads say, the newest. */
export const versionOf = <V extends ApiVersion.ApiVersion>(named: V | undefined): V => named ?? (ApiVersion.latest as V)
