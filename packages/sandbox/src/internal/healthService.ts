/** What the service tells everyone (public contract): emerging issues, supported values (metadata) and its operations. */
import * as EmergingIssue from "@vigil/health-schema/EmergingIssue"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as Metadata from "@vigil/health-schema/Metadata"
import * as OperationSchema from "@vigil/health-schema/Operation"
import * as Effect from "effect/Effect"
import { list, listQuery, maker, query } from "./healthCall.js"
import * as errors from "./healthErrors.js"
import { isOfTenant } from "./world/lookup.js"
import type { World, WorldEvent } from "./world/models.js"
import { regions, services } from "./world/places.js"
import { day, instantOf, secondsOf } from "./world/story.js"

const make = maker("service")

const named = (name: string | null | undefined) => ({
  id: (name ?? "").toLowerCase().replaceAll(" ", "-"),
  name: name ?? "",
})

const activeEvent = ({ event, lastUpdate }: WorldEvent) => {
  const { impact, impactStartTime, summary, title } = event.properties ?? {}
  return {
    title: title ?? "",
    description: summary ?? "",
    trackingId: event.name ?? "",
    startTime: secondsOf(instantOf(impactStartTime) ?? lastUpdate),
    cloud: "Public",
    severity: "Warning",
    stage: "Active",
    published: true,
    lastModifiedTime: secondsOf(lastUpdate),
    impacts: (impact ?? []).map(({ impactedRegions, impactedService }) => ({
      ...named(impactedService),
      regions: (impactedRegions ?? []).map(({ impactedRegion }) => named(impactedRegion)),
    })),
  }
}

const banner = ({ event: { properties }, lastUpdate }: WorldEvent) => ({
  title: properties?.title ?? "",
  message: properties?.summary ?? "",
  cloud: "Public",
  lastModifiedTime: secondsOf(lastUpdate),
})

/** One entry, `default`: the emerging issues of the last three days, and banners for critical service issues of subscriptions. */
const emergingIssues = ({ events, now, vendor, ...world }: World) => {
  const isRecent = ({ event, lastUpdate }: WorldEvent) =>
    lastUpdate > now - 3 * day && event.properties?.status === "Active"
  const isCritical = ({ event: { properties } }: WorldEvent) =>
    properties?.eventType === "ServiceIssue" && properties.eventLevel === "Critical"
  const type = `/providers/${vendor}.ResourceHealth/emergingissues`
  const properties = {
    refreshTimestamp: secondsOf(now),
    statusBanners: events.filter((one) => !isOfTenant(one) && isRecent(one) && isCritical(one)).map(banner),
    statusActiveEvents: world.emergingIssues.filter(isRecent).map(activeEvent),
  }
  return [{ id: `${type}/default`, name: "default", type, properties }]
}

const metadata = ({ vendor }: World) => {
  const ids = (values: ReadonlyArray<string>) => values.map((id) => ({ id, displayName: id }))
  const states = ids(Enumerations.AvailabilityState.known)
  const supported = {
    status: ids(Enumerations.EventStatus.known),
    eventType: ids(Enumerations.EventType.known),
    level: ids(Enumerations.EventLevel.known),
    cause: ids(["PlatformInitiated", "UserInitiated", "Unknown"]),
    previousHealthStatus: states,
    currentHealthStatus: states,
    supportedResourceType: services.map(({ name, type }) => ({ id: `${vendor}.${type}`, displayName: name })),
    region: ids(regions),
    impactedService: services.map(({ guid, name, type }) => ({
      id: name,
      displayName: name,
      serviceGuid: guid,
      resourceTypes: [`${vendor}.${type}`],
    })),
  }
  return Object.entries(supported).map(([name, supportedValues]) => ({
    id: `/providers/${vendor}.ResourceHealth/metadata/${name}`,
    name,
    type: `${vendor}.ResourceHealth/metadata`,
    properties: { displayName: name, applicableScenarios: ["Alerts"], supportedValues },
  }))
}

const rights =
  "AvailabilityStatuses/read events/read events/fetchEventDetails/action events/fetchBillingCommunicationDetails/action events/impactedResources/read events/listSecurityAdvisoryImpactedResources/action emergingissues/read metadata/read Operations/read"

const findNamed = <A extends { readonly name: string }>(entries: ReadonlyArray<A>, wanted = "") => {
  const found = entries.find(({ name }) => name === wanted)
  return found === undefined ? errors.unknownEntry(wanted) : Effect.succeed(found)
}

export const operations = (provider: string) => [
  make({
    name: "listEmergingIssues",
    summary: "List the emerging issues",
    description: "The banners and active events of the service. The list has one entry, `default`.",
    path: `${provider}/emergingIssues`,
    query: listQuery,
    success: EmergingIssue.IssuesPage,
    handle: (call) => list(call, emergingIssues(call.world), (issue) => issue),
  }),
  make({
    name: "getEmergingIssue",
    summary: "Get an entry of the emerging issues",
    description: "The entry with this name, which is `default`.",
    path: `${provider}/emergingIssues/:issueName`,
    query,
    success: EmergingIssue.EmergingIssue,
    errors: [404],
    handle: ({ params, world }) => findNamed(emergingIssues(world), params["issueName"]),
  }),
  make({
    name: "listMetadata",
    summary: "List the metadata",
    description: "The supported values of fields, such as services and regions.",
    path: `${provider}/metadata`,
    query: listQuery,
    success: Metadata.MetadataPage,
    handle: (call) => list(call, metadata(call.world), (entry) => entry),
  }),
  make({
    name: "getMetadata",
    summary: "Get an entry of the metadata",
    description: "The supported values of one field, such as `region`.",
    path: `${provider}/metadata/:name`,
    query,
    success: Metadata.Metadata,
    errors: [404],
    handle: ({ params, world }) => findNamed(metadata(world), params["name"]),
  }),
  make({
    name: "listOperations",
    summary: "List the operations",
    description: "The operations that access control can allow.",
    path: `${provider}/operations`,
    query,
    success: OperationSchema.OperationsPage,
    handle: ({ world: { vendor } }) =>
      Effect.succeed({
        value: rights.split(" ").map((right) => ({
          name: `${vendor}.ResourceHealth/${right}`,
          display: { provider: `${vendor} ResourceHealth`, resource: right.split("/")[0] ?? "", operation: right },
        })),
      }),
  }),
]
