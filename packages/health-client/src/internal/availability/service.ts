/** The interface of the client; public as `AvailabilityClient.Service`. */
import type { RequestError } from "@vigil/core-http/RequestError"
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import type { AvailabilityStatus } from "@vigil/health-schema/AvailabilityStatus"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Checkpoint } from "../../Checkpoint.js"
import type * as Filter from "../../Filter.js"
import type { InvalidStatus } from "../../InvalidStatus.js"
import type * as Listing from "../../Listing.js"
import type { PageLoop } from "../../PagingError.js"
import type { ResourceUri } from "../../ResourceUri.js"
import type { Scope } from "../../Scope.js"

/** Which statuses, and how much of them. @category models @since 0.2.0 */
export interface Query {
  /** The API version. The types are the same in every version. Default: `ApiVersion.defaultVersion`. */
  readonly apiVersion?: ApiVersion | undefined
  /** Which statuses the service selects: `Filter.raw`, because `Filter.eq` has the fields of events. Default: all. */
  readonly filter?: Filter.Raw | undefined
  /** Whether statuses contain recommended actions (`$expand=recommendedactions`). Default: `false`. */
  readonly recommendedActions?: boolean | undefined
}

/**
 * The operations of the client. Streams fetch a page when the previous one is consumed. The types spell errors out, so that editors show them.
 * @category models @since 0.2.0
 */
export interface Service {
  /** Streams the statuses of a list. Fails with `InvalidStatus` at an invalid entry. */
  readonly list: <Max extends number | undefined = undefined>(
    scope: Scope,
    options?: Query & Listing.Limits<Max>,
  ) => Stream.Stream<AvailabilityStatus, RequestError | PageLoop | Listing.Limited<Max> | InvalidStatus>
  /** Streams the pages of a list, each with its invalid entries and a checkpoint to resume from. */
  readonly pages: <From extends Checkpoint | undefined = undefined, Max extends number | undefined = undefined>(
    scope: Scope,
    options?: Query & Listing.PageOptions<From, Max>,
  ) => Stream.Stream<
    Listing.Page<AvailabilityStatus>,
    RequestError | PageLoop | Listing.Limited<Max> | Listing.Mismatch<From>
  >
  /** Fetches the current status of a resource. The reason is `NotFound` if the service does not have it. */
  readonly current: (uri: ResourceUri, options?: Query) => Effect.Effect<AvailabilityStatus, RequestError>
  /** Fetches the current status of a resource in another one, such as a database of a server. */
  readonly currentOfChild: (uri: ResourceUri, options?: Query) => Effect.Effect<AvailabilityStatus, RequestError>
}
