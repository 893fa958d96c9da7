/** What is known of a resource if only one status and some events were read. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import { type Readings, empty } from "../Evidence.js"

/** `given`: what else was read. */
export const make = (
  status: AvailabilityStatus.AvailabilityStatus,
  now: number,
  events: ReadonlyArray<AnyEvent>,
  given: Partial<Pick<Readings, "emergingIssues" | "impacted" | "metadata" | "sameName" | "tenantEvents">> = {},
): Readings => ({
  resource: AvailabilityStatus.resourceId(status) ?? "",
  now,
  from: now,
  current: { items: [status], invalid: 0 },
  history: empty,
  children: empty,
  ownEvents: empty,
  subscriptionEvents: { items: events, invalid: 0 },
  tenantEvents: empty,
  emergingIssues: empty,
  sameName: empty,
  impacted: new Map(),
  metadata: empty,
  ...given,
})
