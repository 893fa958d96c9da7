/** Events and changes of any API version. */
import type * as Watch from "@vigil/health-client/Watch"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"

export type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>
export type Change = Watch.Change<ApiVersion.ApiVersion>
