/** The getters of statuses, and the parts of resource IDs. */
import { AvailabilityStatus, ResourceId } from "@vigil/health-schema"
import { describe, expect, it } from "vitest"

const web = "/subscriptions/s1/resourcegroups/Shop/providers/Vendor.Compute/virtualMachines/web-1"

describe("the resource of a status", () => {
  it.each([
    [`${web}/providers/Vendor.ResourceHealth/availabilityStatuses/current`, web],
    [`${web}/PROVIDERS/microsoft.resourcehealth/availabilityStatuses/2026-05-04+06:48:31`, web],
    [`${web}/providers/Vendor.ResourceHealth`, web],
    [web, web],
    ["", undefined],
    [null, undefined],
    [undefined, undefined],
  ])("of the record %s is %s", (id, expected) => {
    expect(AvailabilityStatus.resourceId(id === undefined ? {} : { id })).toBe(expected)
  })

  it("has a name, a group, a type and a subscription", () => {
    const status = { id: `${web}/providers/Vendor.ResourceHealth/availabilityStatuses/current`, type: "of the record" }
    const { resourceGroup, resourceName, resourceType, subscriptionId } = AvailabilityStatus
    expect([resourceName, resourceGroup, resourceType, subscriptionId].map((part) => part(status))).toEqual([
      "web-1",
      "Shop",
      "Vendor.Compute/virtualMachines",
      "s1",
    ])
  })
})

describe("the type in an ID", () => {
  it.each([
    ["/subscriptions/s1/providers/Vendor.Sql/servers/db/databases/orders", "Vendor.Sql/servers/databases"],
    [`${web}/providers/Vendor.Insights/diagnosticSettings/all`, "Vendor.Insights/diagnosticSettings"],
    ["subscriptions/s1/resourceGroups/providers", undefined],
    ["/subscriptions/s1/providers/Vendor.Sql", undefined],
    ["", undefined],
    [null, undefined],
  ])("of %s is %s", (id, expected) => {
    expect(ResourceId.type(id)).toBe(expected)
  })
})

it("IDs are compared in any case and encoding, without empty segments", () => {
  const key = "subscriptions/s1/my group/ü/50%"
  for (const id of ["/Subscriptions/s1/my group/Ü/50%", "subscriptions//s1/my%20group/%c3%bc/50%/"])
    expect(ResourceId.key(id)).toBe(key)
  expect(ResourceId.key("/A%2FB")).toBe("a%2fb")
})

it.each([
  ["Available", "Available", true],
  ["available", "Available", true],
  ["Degraded", "Degraded", false],
  ["InMaintenance", undefined, false],
  ["", undefined, false],
  [null, undefined, false],
])("a status whose state is %s has the known state %s", (availabilityState, state, isAvailable) => {
  const status = { properties: { availabilityState } }
  expect([AvailabilityStatus.state(status), AvailabilityStatus.isAvailable(status)]).toEqual([state, isAvailable])
})
