/** The lists of the tenant and of impacted resources under the faults of links and pages (rows 1 to 20). */
import { expect } from "@effect/vitest"
import { type HealthClient, type Listing, TrackingId } from "@vigil/health-client"
import { Faults } from "@vigil/sandbox"
import * as FaultRuns from "@vigil/testing/FaultRuns"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import { expected, type Name } from "./expected.js"
import { connect, drain, guarded, namesOf, subscription, tagOf } from "./harness.js"

const trackingId = TrackingId.make("T1-234")

interface Named {
  readonly name?: string | null
}

interface List {
  readonly method: string
  readonly path: string
  readonly read: (
    client: HealthClient.Service,
    options: Listing.PageOptions,
  ) => Stream.Stream<Named, Listing.ListError | Listing.ResourcesError>
}

const lists: Readonly<Record<string, List>> = {
  listByTenant: {
    method: "GET",
    path: "/providers/Vendor.ResourceHealth/events",
    read: (client, options) => client.listByTenant(options),
  },
  impactedResources: {
    method: "GET",
    path: "/subscriptions/s1/providers/Vendor.ResourceHealth/events/T1-234/impactedResources",
    read: (client, options) => client.listImpactedResources(subscription, trackingId, options),
  },
  "impactedResources of a security advisory": {
    method: "POST",
    path: "/subscriptions/s1/providers/Vendor.ResourceHealth/events/T1-234/listSecurityAdvisoryImpactedResources",
    read: (client, options) =>
      client.listImpactedResources(subscription, trackingId, { ...options, isSecurityAdvisory: true }),
  },
}

// Safe, because `expected` is an object literal with exactly these keys.
const names = (Object.keys(expected) as ReadonlyArray<Name>).filter((name) => Faults.byName(name).row <= 20)

const cases = names.flatMap((name) => Object.entries(lists).map(([title, list]) => [name, title, list] as const))

FaultRuns.each(cases, "%s: %s", ([name, , { method, path, read }]) =>
  Effect.gen(function* () {
    const started = yield* Faults.start(name)
    const { client } = yield* connect(started.server.origin)
    const options = name === "endless-links" ? { maxPages: 50 } : {}
    const { delivered, error } = yield* guarded(started, drain(read(client, options)))
    const [first, ...others] = yield* started.server.requests
    const { outcome, requests, ...wanted } = expected[name]
    expect(tagOf(error), error?.message).toBe(outcome)
    const length = outcome === "PageLoop" ? wanted.delivered.length : undefined
    expect(namesOf(delivered).slice(0, length)).toEqual(wanted.delivered)
    if (requests !== undefined) expect(others).toHaveLength(requests - 1)
    expect([first?.method, first?.target]).toEqual([method, `${path}?api-version=2025-05-01`])
    // Links are followed by GET.
    expect(new Set(others.map(({ method }) => method))).toEqual(new Set(others.length === 0 ? [] : ["GET"]))
  }),
)
