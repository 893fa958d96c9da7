import { AvailabilityClient, AvailabilityStatus, ResourceUri } from "@vigil/health-client"
import { Console, Effect } from "effect"

const web = "/subscriptions/s1/resourceGroups/shop/providers/Vendor.Compute/virtualMachines/web-1"

// The real client over an in-memory service. The second resource is not in the data, so its status is a 404.
const Availability = AvailabilityClient.layerTest({
  current: {
    [web]: {
      id: `${web}/providers/Vendor.ResourceHealth/availabilityStatuses/current`,
      properties: { availabilityState: "Unavailable", reasonType: "Unplanned" },
    },
  },
})

const reasonOf = (id: string) =>
  Effect.gen(function* () {
    const availability = yield* AvailabilityClient.AvailabilityClient
    const status = yield* availability.current(ResourceUri.make(id))
    return `${AvailabilityStatus.resourceName(status)} is ${AvailabilityStatus.state(status)}: ${status.properties?.reasonType}`
  }).pipe(Effect.catchReason("RequestError", "NotFound", () => Effect.succeed(`${id} is not known`)))

const program = Effect.forEach([web, "/subscriptions/s1/x"], (id) => Effect.flatMap(reasonOf(id), Console.log))

await program.pipe(Effect.provide(Availability), Effect.runPromise)
