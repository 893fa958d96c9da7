/** Events, pages and changes of any API version. */
import type * as Listing from "@vigil/health-client/Listing"
import type * as Watch from "@vigil/health-client/Watch"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"

export type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>
export type EventPage = Listing.Page<AnyEvent>
export type Change = Watch.Change<ApiVersion.ApiVersion>
