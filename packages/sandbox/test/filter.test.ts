import { describe, expect, it } from "@effect/vitest"
import { World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { names, start } from "./service.js"

type Properties = NonNullable<World.WorldEvent["event"]["properties"]>

/** An event of the first subscription, with these properties, and impact by service. */
const event =
  (name: string, impact: Readonly<Record<string, ReadonlyArray<string>>>, properties: Properties = {}) =>
  (world: World.World): World.World =>
    World.put({
      event: {
        id: name,
        name,
        properties: {
          ...properties,
          impact: Object.entries(impact).map(([impactedService, regions]) => ({
            impactedService,
            impactedRegions: regions.map((impactedRegion) => ({ impactedRegion })),
          })),
        },
      },
      lastUpdate: world.now,
      subscriptions: [world.subscriptions[0].id],
      resources: [world.resources[0]?.uri ?? ""],
    })(world)

/** A sandbox of five events, and a function to filter them. */
const five = Effect.gen(function* () {
  const service = yield* start()
  const { change, events, json, list } = service
  yield* change((world) => ({ ...world, events: [] }))
  for (const put of [
    event("E", {}, { title: "x eq 'y' or z", reason: "" }),
    event("D", { "O'Brien": ["Global"] }, { isEventSensitive: true, summary: "hidden", title: "seen" }),
    event("C", { DNS: ["UK South"], Functions: ["East US"] }, { eventType: "Billing", newRate: 1.5, isHIR: true }),
    event("B", { "SQL Database": ["East US", "West Europe"] }, { eventType: "serviceissue", priority: 3 }),
    event("A", { Dns: ["West Europe"] }, { eventType: "ServiceIssue", isHIR: false, article: { articleId: "x" } }),
  ])
    yield* change(put)
  const encoded = (filter: string) => `&$filter=${encodeURIComponent(filter)}`
  return {
    ...service,
    find: (filter: string) => Effect.map(events(list(encoded(filter))), (found) => names(found).join("")),
    response: (filter: string) => json(list(encoded(filter))),
    encoded,
  }
})

/** Filters, and the events that they find. */
const found: ReadonlyArray<readonly [string, string]> = [
  ["service eq 'DNS'", "AC"],
  ["SERVICE EQ 'dns'", "AC"],
  ["region eq 'west europe'", "AB"],
  ["service eq 'sqldatabase'", ""],
  ["service eq 'Functions' or region eq 'west europe'", "ABC"],
  ["service eq 'O''Brien'", "D"],
  ["properties/eventType eq 'ServiceIssue'", "AB"],
  ["properties/priority eq 3", "B"],
  ["properties/newRate eq 1.50", "C"],
  ["properties/priority eq ''", ""],
  ["properties/isHIR eq 'False'", "A"],
  ["properties/title eq 'x eq ''y'' or z'", "E"],
  ["properties/impact eq 'x'", ""],
  ["properties/constructor eq 'x'", ""],
  ["region eq 'Global' or service eq DNS and region eq 'UK South'", "CD"],
  ["service eq DNS and region eq 'UK South' or region eq Global", "CD"],
  ["  service  eq\t'DNS'   or  region eq Global ", "ACD"],
  ["", "ABCDE"],
]

describe("a filter", () => {
  it.live("finds events by their texts, numbers and flags", () =>
    Effect.gen(function* () {
      const { find } = yield* five
      for (const [filter, expected] of found) expect(yield* find(filter), filter).toBe(expected)
    }),
  )

  it.live.each([
    "service eq",
    "service eq 'DNS",
    "service eq 'DNS'or region eq 'x'",
    "service eq 'DNS' region eq 'x'",
    "service ne 'DNS'",
    "color eq 'x'",
    "contains(service, 'DNS')",
    "or service eq 'DNS'",
  ])("of %j gets a 400 in the flat form of the service", (filter) =>
    Effect.gen(function* () {
      const { response } = yield* five
      const { body, status } = yield* response(filter)
      expect(status).toBe(400)
      expect(body).toEqual({ code: "InvalidODataQueryOptions", message: expect.stringContaining("$filter") })
    }),
  )

  it.live("ignores withheld texts, and fields that the version lacks", () =>
    Effect.gen(function* () {
      const { events, encoded, find, list } = yield* five
      expect(yield* find("properties/title eq seen")).toBe("D")
      expect(yield* find("properties/summary eq hidden")).toBe("")
      const rate = list(encoded("properties/newRate eq 1.5"))
      expect(names(yield* events(rate))).toEqual(["C"])
      expect(yield* events(rate.replace("2025-05-01", "2025-04-01"))).toEqual([])
    }),
  )

  it.live("applies to every page of both lists", () =>
    Effect.gen(function* () {
      const { events, list, url, world } = yield* start({ pageSize: 3 })
      const filter = "&$filter=properties/eventType+eq+%27ServiceIssue%27"
      const kind = ({ event }: World.WorldEvent) => event.properties?.eventType === "ServiceIssue"
      const all = yield* events(list(`${filter}&queryStartTime=1/1/2025`))
      expect(names(all)).toEqual(
        world.events
          .filter((e) => kind(e) && e.subscriptions.includes(world.subscriptions[0].id))
          .map((e) => e.event.name),
      )
      for (const { uri } of world.resources)
        expect(names(yield* events(url(uri, `?api-version=2025-05-01${filter}`)))).toEqual(
          world.events
            .filter((e) => kind(e) && e.subscriptions.length > 0 && e.resources.includes(uri))
            .map(({ event }) => event.name),
        )
    }),
  )
})
