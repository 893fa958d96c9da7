import { Changes, Events, HealthEvent, Priority, Sensitive } from "@vigil/health-schema"
import { Console, DateTime, Effect, Option } from "effect"

const decode = (json: unknown) => Effect.fromResult(HealthEvent.decode("2025-05-01")(json))
const outage = {
  name: "BC1-FXZ",
  properties: {
    eventType: "ServiceIssue",
    eventLevel: "Critical",
    status: "Active",
    impactStartTime: "2025-05-12T14:45:48Z",
    impact: [{ impactedService: "DNS", impactedRegions: [{ impactedRegion: "West Europe", status: "Active" }] }],
  },
}

const program = Effect.gen(function* () {
  const event = yield* decode(outage)
  const later = yield* decode({ ...outage, properties: { ...outage.properties, status: "Resolved" } })
  const noon = DateTime.makeUnsafe("2025-05-13T12:00:00Z")
  yield* Console.log("priority", Option.getOrNull(Priority.priority(event)))
  yield* Console.log("active at noon", Events.isActiveAt(noon)(event))
  yield* Console.log("on DNS in West Europe", Events.concerns({ service: "dns", region: "West Europe" })(event))
  yield* Console.log("texts withheld", Sensitive.withheldTexts(event))
  yield* Console.log("new", Changes.compare(event, later).fields)
  yield* Console.log(
    "by priority",
    [event, later].toSorted(Priority.byPriority).map(({ properties }) => properties?.status),
  )
})

await Effect.runPromise(program)
