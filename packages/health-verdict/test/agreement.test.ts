/** A list of resources and an explanation say the same from the same readings. `PROPERTY_RUNS` sets the number of worlds. */
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import type { EmergingIssue } from "@vigil/health-schema/EmergingIssue"
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import type { ImpactedResource } from "@vigil/health-schema/ImpactedResource"
import * as Assessment from "@vigil/health-verdict/Assessment"
import * as EmergingEvents from "@vigil/health-verdict/EmergingEvents"
import { type Reading, type Readings, empty } from "@vigil/health-verdict/Evidence"
import * as Explanation from "@vigil/health-verdict/Explanation"
import type { Picture } from "@vigil/health-verdict/Picture"
import * as Subject from "@vigil/health-verdict/Subject"
import * as Summary from "@vigil/health-verdict/Summary"
import * as Property from "@vigil/testing/property"
import { ago, calm, event, list, now, resource, services, status } from "@vigil/testing/readings"
import * as FastCheck from "fast-check"
import { expect } from "vitest"

const one = FastCheck.constantFrom

/** Such as an outage of the resource, of others, or of nothing that is named. */
const outage = FastCheck.record({
  owner: one("subscription", "tenant", "both"),
  listed: one("own", "own", "others", "parent", "part", "anonymous", "nothing", "nothing", "not read", "partly"),
  service: one("Virtual Machines", "SQL Database", "Network Infrastructure", "Entra ID", ""),
  region: one("West Europe", "East US", "Global", ""),
  properties: FastCheck.record({
    eventType: one("ServiceIssue", "ServiceIssue", "PlannedMaintenance", "HealthAdvisory", "RCA"),
    status: one("Active", "Active", "Resolved"),
    impactStartTime: FastCheck.integer({ min: -20, max: 50 }).map(ago),
    impactMitigationTime: one(null, ago(-30), ago(1), ago(40)),
    lastUpdateTime: one(ago(1), ago(30)),
  }),
})

const issue = FastCheck.record({
  trackingId: one("EM-1", "EM-2", "E0"),
  title: one("Slow", "Event E0"),
  stage: one("Active", "Resolve"),
  lastModifiedTime: one(ago(1), ago(80)),
  impacts: one(
    [],
    [{ name: "Virtual Machines", regions: [{ name: "West Europe" }] }],
    [{ name: "SQL Database", regions: [{ name: "West Europe" }] }],
    [{ name: "Virtual Machines", regions: [{ name: "East US" }] }],
  ),
})

const banner = FastCheck.record({
  title: one("Event E0", "Slow", "A banner"),
  message: one("Text"),
  lastModifiedTime: one(ago(1), ago(80)),
})

const targets: Readonly<Record<string, Reading<ImpactedResource>>> = Object.fromEntries(
  Object.entries({
    own: resource.toUpperCase(),
    others: `${resource}0`,
    parent: resource.replace(/\/providers.*/, ""),
    part: `${resource}/extensions/one`,
    anonymous: "",
  }).map(([name, targetResourceId]) => [name, list({ properties: { targetResourceId } })]),
)

/** What was read of a resource by its list: its status, the events of its subscription and tenant, and emerging issues. */
const world = FastCheck.record({
  status: FastCheck.record({
    availabilityState: one("Available", "Available", "Unavailable", "Unavailable", "Degraded", "Unknown", null),
    reasonType: one("", null, "Unplanned", "Planned", "Customer Initiated", "Customer Initiated"),
    occuredTime: FastCheck.integer({ min: 0, max: 50 }).map(ago),
    reportedTime: one(ago(0), ago(0), ago(0), ago(72)),
    healthEventId: one(null, null, null, "e0", "XY99"),
  }),
  outages: FastCheck.array(outage, { maxLength: 4 }),
  issues: FastCheck.array(issue, { maxLength: 2 }),
  banners: FastCheck.array(banner, { maxLength: 1 }),
  /** What was not read to its end. */
  faults: FastCheck.subarray(["subscriptionEvents", "tenantEvents", "emergingIssues", "metadata"], { maxLength: 1 }),
}).map(({ banners, faults, issues, outages, status: properties, ...rest }): Readings => {
  const made = outages.map((outage, index) => ({
    ...outage,
    event: event(`E${index}`, outage.properties, outage.service, outage.region),
  }))
  const cut = Object.fromEntries(faults.map((name) => [name, { problem: "502" }]))
  const of = (owner: string) =>
    made.flatMap((one): ReadonlyArray<AnyEvent> =>
      one.owner === owner || one.owner === "both" ? [{ ...one.event }] : [],
    )
  const impacted = made.flatMap(({ event, listed }) => {
    if (listed === "not read") return []
    const all = listed === "partly" ? { ...empty, problem: "502" } : (targets[listed] ?? list())
    return [[event.name.toLowerCase(), all] as const]
  })
  const emerging: EmergingIssue = { properties: { statusActiveEvents: issues, statusBanners: banners } }
  const id = `${resource}/providers/Vendor.ResourceHealth/availabilityStatuses/current`
  const all: Readings = {
    ...calm,
    ...rest,
    current: list({ ...status(properties), id }),
    history: list(),
    subscriptionEvents: list(...of("subscription")),
    emergingIssues: list(emerging),
    metadata: services,
    impacted: new Map(impacted),
  }
  const read: Readings = {
    ...all,
    subscriptionEvents: { ...all.subscriptionEvents, ...cut["subscriptionEvents"] },
    tenantEvents: { items: of("tenant"), invalid: 0, ...cut["tenantEvents"] },
    emergingIssues: { ...all.emergingIssues, ...cut["emergingIssues"] },
  }
  // It is only read if it is needed.
  return Explanation.needsMetadata(read)
    ? { ...read, metadata: { ...(cut["metadata"] ? empty : services), ...cut["metadata"] } }
    : read
})

const isRead = (reading: Reading<unknown> | undefined) => reading?.problem === undefined

const assess = ({
  current: {
    items: [status = {}],
  },
  emergingIssues,
  impacted,
  metadata,
  subscriptionEvents,
  tenantEvents,
}: Readings) =>
  Assessment.make(now, {
    subscriptions: [{ id: "s1", events: subscriptionEvents.items, isComplete: isRead(subscriptionEvents) }],
    tenant: { events: tenantEvents?.items ?? [], isComplete: isRead(tenantEvents) },
    everyone: { issues: emergingIssues.items, isComplete: isRead(emergingIssues) },
    impacted,
    metadata: isRead(metadata) ? metadata.items : undefined,
    isComplete: true,
  })(status)

const id = SubscriptionId.make("s1")

/** The picture of the same readings. */
const pictureOf = ({
  current,
  emergingIssues,
  impacted,
  metadata,
  subscriptionEvents,
  tenantEvents = empty,
}: Readings): Picture => {
  const read = { issues: [], invalid: [], older: 0, readAt: undefined, isAbsent: false, error: undefined }
  const issues = emergingIssues.items
  const owned = [
    ...subscriptionEvents.items.map((event) => ({ event, owner: id })),
    ...tenantEvents.items.map((event) => ({ event, owner: Subject.shared[0] })),
  ]
  return {
    now,
    events: [
      { ...read, subject: id, events: subscriptionEvents.items, problem: subscriptionEvents.problem },
      { ...read, subject: Subject.shared[0], events: tenantEvents.items, problem: tenantEvents.problem },
      {
        ...read,
        subject: Subject.everyone,
        events: EmergingEvents.make(issues),
        issues,
        problem: emergingIssues.problem,
      },
    ],
    statuses: [{ ...read, subject: id, statuses: current.items, problem: undefined }],
    impacted: {
      events: owned.flatMap((one) => {
        const list = impacted.get(one.event.name?.toLowerCase() ?? "")
        return list === undefined ? [] : [{ ...one, ...list, readAt: undefined }]
      }),
      metadata,
    },
    leftOut: [],
  }
}

Property.sync("a summary is never clearer than an explanation", [world], ([all]) => {
  const { verdict } = Summary.make(pictureOf(all))
  const { because, suspect, verdict: explained } = Explanation.make(all)
  const reason = because ?? suspect
  const isRead = [all.subscriptionEvents, all.tenantEvents, all.emergingIssues].every(
    (list) => list?.problem === undefined,
  )
  if (!isRead) expect(verdict).not.toBe("fine")
  if (verdict === "fine" && explained !== "none" && explained !== "customer")
    expect(reason === undefined || reason.phase === "ended" || !Explanation.isConfirmed(reason)).toBe(true)
})

Property.sync("a list and an explanation say the same from the same readings", [world], ([all]) => {
  const listed = assess(all)
  const explained = Explanation.make(all)
  const reason = explained.because ?? explained.suspect
  // The only difference: a list counts an event for an available resource only if the event names it.
  if (listed.status.properties?.availabilityState === "Available" && listed.verdict === "none")
    expect(reason === undefined || !Explanation.isConfirmed(reason)).toBe(true)
  else expect([listed.verdict, listed.ownAction?.title]).toEqual([explained.verdict, explained.ownAction?.title])
})
