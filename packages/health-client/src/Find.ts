/** Finds one event of a subscription or of the tenant, also if the service has no operation for single events. */
import type { RequestError } from "@vigil/core-http/RequestError"
import * as Span from "@vigil/core-http/Span"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { HealthClient } from "./HealthClient.js"
import { InvalidEvent } from "./InvalidEvent.js"
import type * as Listing from "./Listing.js"
import type { PageLoop } from "./PagingError.js"
import type * as Query from "./Query.js"
import type { Owner } from "./Tenant.js"
import type { TrackingId } from "./TrackingId.js"
import * as startTime from "./internal/startTime.js"

/** Options of `find`. @category models @since 0.1.0 */
export interface Options<
  V extends ApiVersion.ApiVersion = ApiVersion.Default,
  Max extends number | undefined = number | undefined,
>
  extends Query.SubscriptionQuery<V>, Listing.Limits<Max> {}

/** Whether the list may still have the event. The public Azure service responds 400 to a version that has no such operation. */
const mayBeListed = ({ reason }: RequestError): boolean =>
  reason._tag === "NotFound" ||
  reason._tag === "Decode" ||
  (reason._tag === "ServiceFailure" && [400, 405, 501].includes(reason.status))

/**
 * Finds the event with this tracking ID (its `name`, ignoring case). Requests the single event (`HealthClient.get`). If the service does not
 * return it, reads the list up to the page that contains it. Fails with `InvalidEvent` if the entry with this ID is invalid.
 * @category effects @since 0.1.0
 */
export const find = <
  const V extends ApiVersion.ApiVersion = ApiVersion.Default,
  Max extends number | undefined = undefined,
>(
  owner: Owner,
  trackingId: TrackingId,
  { maxPages, ...query }: Options<V, Max> = {},
): Effect.Effect<
  HealthEvent.HealthEvent<NoInfer<V>> | undefined,
  RequestError | PageLoop | Listing.Limited<Max> | InvalidEvent,
  HealthClient
> =>
  Effect.gen(function* () {
    const { get, pagesBySubscription, pagesByTenant } = yield* HealthClient
    const { isSince, since } = startTime.resolve(query.queryStartTime)(yield* DateTime.now)
    const isWanted = (entry: unknown) => HealthEvent.trackingKey(entry) === trackingId.toLowerCase()

    const single = yield* Effect.catchIf(get(owner, trackingId, query), mayBeListed, () => Effect.undefined)
    // Services may ignore the start time.
    if (single !== undefined && (since === undefined || isSince(single, since))) return single

    const { apiVersion, filter, queryStartTime } = query
    const options = { apiVersion, filter, queryStartTime, maxPages }
    const pages = typeof owner === "string" ? pagesBySubscription(owner, options) : pagesByTenant(options)
    return yield* pages.pipe(
      Stream.flatMap(({ invalid, items }) => {
        const event = items.find(isWanted)
        if (event !== undefined) return Stream.succeed(event)
        const entry = invalid.find(({ raw }) => isWanted(raw))
        return entry === undefined ? Stream.empty : Stream.fail(new InvalidEvent({ ...entry, operation: "Find.find" }))
      }),
      Stream.runHead,
      Effect.map(Option.getOrUndefined),
    )
  }).pipe(Span.run("Find.find", { attributes: { "health.id": typeof owner === "string" ? owner : "" } }))
