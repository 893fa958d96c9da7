/** Statuses of resources. */

export const idOf = (name: string, subscription = "x") =>
  `/subscriptions/${subscription}/resourceGroups/shop/providers/Vendor.Sql/servers/${name}`

const reportedTime = new Date().toISOString()

/** A status as the service sends it, since 2026-03-10 11:00 UTC, and just checked. */
export const status = (name: string, availabilityState: string, subscription?: string) => ({
  id: `${idOf(name, subscription)}/providers/Vendor.ResourceHealth/availabilityStatuses/current`,
  location: "westeurope",
  properties: {
    availabilityState,
    occuredTime: "2026-03-10T11:00:00Z",
    reportedTime,
    ...(availabilityState === "Available" ? {} : { reasonType: "Unplanned", summary: `Summary of ${name}.` }),
  },
})
