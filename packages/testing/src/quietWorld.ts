/** A world of the sandbox in which resources work and nothing happens, and events for it. */
import { World } from "@vigil/sandbox"

export const now = Math.floor(Date.now() / 1000) * 1000
const empty = World.make({ now })
export const [{ id: subscription }] = empty.subscriptions
const group = `/subscriptions/${subscription}/resourceGroups/shop`
export const vm = `${group}/providers/Vendor.Compute/virtualMachines/web-1`
export const twin = vm.replace("shop", "other")
export const sql = `${group}/providers/Vendor.Sql/servers/orders`
export const thing = `${group}/providers/Vendor.New/things/one`

export const ago = (hours: number) => `${new Date(now - hours * 3_600_000).toISOString().slice(0, 19)}Z`

export const available = { availabilityState: "Available", reasonType: "", occuredTime: ago(200), reportedTime: ago(0) }
export const unavailable = { ...available, availabilityState: "Unavailable", occuredTime: ago(2) }

const inWorld = (uri: string, service = "Virtual Machines") => ({ uri, subscription, service, region: "West Europe" })

/** No events, and resources that work. */
export const quiet: World.World = {
  ...empty,
  resources: [inWorld(vm), inWorld(`${vm}0`), inWorld(twin), inWorld(sql, "SQL Database"), inWorld(thing, "Things")],
  events: [],
  statuses: [vm, twin, sql, `${sql}/databases/main`, thing].map((resource) => ({ resource, properties: available })),
}

export interface Place {
  readonly service?: string
  readonly region?: string
  readonly resources?: ReadonlyArray<string>
}

type Properties = NonNullable<World.WorldEvent["event"]["properties"]>

let count = 0

/** An active service issue of the service and the region of `vm`, which names no resources. */
export const event = (properties: Properties = {}, place: Place = {}) => {
  const { region = "West Europe", resources = [], service = "Virtual Machines" } = place
  const name = `AB12-${(count += 1)}`
  return World.put({
    lastUpdate: now,
    subscriptions: [subscription],
    resources,
    event: {
      id: `/subscriptions/${subscription}/providers/Vendor.ResourceHealth/events/${name}`,
      name,
      properties: {
        eventType: "ServiceIssue",
        status: "Active",
        title: `Event ${name}`,
        impactStartTime: ago(3),
        lastUpdateTime: ago(0),
        impact: [{ impactedService: service, impactedRegions: [{ impactedRegion: region, status: "Active" }] }],
        ...properties,
      },
    },
  })
}

export const own = { resources: [vm] }
