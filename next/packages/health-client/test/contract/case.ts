/** The type of the cases of the contract test. */
import { type HealthClient, SubscriptionId } from "@vigil/health-client"
import type { Sandbox } from "@vigil/sandbox"
import type * as Effect from "effect/Effect"

export interface Stage {
  readonly sandbox: Sandbox.Service
  readonly client: HealthClient.Service
}

/** A case: the calls to run, and the operations and status codes of the contract that they must result in. */
export interface Case {
  readonly operations: ReadonlyArray<string>
  readonly statuses?: ReadonlyArray<number>
  readonly options?: Sandbox.Options
  readonly token?: string
  /** Whether to run with every seed, because the case reads all events (default: only with the first seed). */
  readonly everySeed?: boolean
  readonly run: (stage: Stage) => Effect.Effect<unknown, unknown>
}

/** The operations of the contract that the client uses. */
export const bySubscription = "Events_ListBySubscriptionId"
export const byResource = "Events_ListBySingleResource"
export const byTenant = "Events_ListByTenantId"
export const getEvent = "Event_GetBySubscriptionIdAndTrackingId"
export const fetchDetails = "Event_fetchDetailsBySubscriptionIdAndTrackingId"
export const impacted = "ImpactedResources_ListBySubscriptionIdAndEventId"
export const impactedByAdvisory = "SecurityAdvisoryImpactedResources_ListBySubscriptionIdAndEventId"

export const idOf = ({ sandbox }: Stage) => SubscriptionId.make(sandbox.world.subscriptions[0].id)
