import { type Notification, Routes } from "@vigil/notify"
import * as DateTime from "effect/DateTime"
import { describe, expect, it } from "vitest"
import { notification, routesOf } from "./notifications.js"

const sink = { type: "slack", url: { env: "A" } }
const noon = "2026-03-10T12:00:00Z"

const decide = (
  routes: ReadonlyArray<object>,
  fields: Partial<Notification.Notification> = {},
  now: string = noon,
  openSinks: ReadonlyArray<string> = [],
) =>
  Routes.sinksFor(
    routesOf({ sinks: { a: sink, b: sink, errors: { ...sink, minimumLevel: "Error" } }, routes }),
    notification(fields),
    DateTime.makeUnsafe(now),
    (name) => (openSinks.includes(name) ? "Error" : undefined),
  ).map((decision) => (decision.action === "hold" ? DateTime.formatIso(decision.until) : decision.action))

describe("a route", () => {
  it.each<readonly [object, Partial<Notification.Notification>, boolean]>([
    [{}, {}, true],
    [{ type: "serviceissue" }, { type: "SERVICEISSUE" }, true],
    [{ type: ["RCA", "Billing"] }, {}, false],
    [{ level: ["warning", "critical"] }, {}, true],
    [{ level: "Warning" }, {}, false],
    [{ status: "active" }, {}, true],
    [{ status: "Resolved" }, {}, false],
    [{ service: ["sql", "storage"] }, { services: ["Network", "Storage"] }, true],
    [{ service: "Stor" }, {}, false],
    [{ region: "westeurope" }, {}, true],
    [{ region: "North Europe" }, { regions: [] }, false],
    [{ subscription: ["s0", "S1"] }, {}, true],
    [{ subscription: "s2" }, {}, false],
    [{ subscription: "s1" }, { subscription: null }, false],
    [{ level: "Critical", region: "East US" }, {}, true],
    [{ level: "Critical", region: "North" }, {}, false],
  ])("with the conditions %j applies to %j: %s", (match, fields, isMatch) => {
    expect(decide([{ match, to: "a" }], fields)).toEqual([isMatch ? "deliver" : "skip", "skip", "skip"])
  })

  it("applies its minimum level and that of the sink", () => {
    const routes = [{ minimumLevel: "error", to: "a" }, { to: "errors" }]
    expect(decide(routes, { level: "Warning" })).toEqual(["skip", "skip", "skip"])
    expect(decide(routes, { level: "Error" })).toEqual(["deliver", "skip", "deliver"])
    expect(decide(routes, { level: "Critical" })).toEqual(["deliver", "skip", "deliver"])
  })
})

const night = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" }

describe("quiet hours hold notifications back", () => {
  it.each([
    // Over midnight.
    ["22:00", "07:00", "2026-03-10T20:59:59Z", "deliver"],
    ["22:00", "07:00", "2026-03-10T21:00:00Z", "2026-03-11T06:00:00.000Z"],
    ["22:00", "07:00", "2026-03-11T05:59:59Z", "2026-03-11T06:00:00.000Z"],
    ["22:00", "07:00", "2026-03-11T06:00:00Z", "deliver"],
    ["22:00", "07:00", "2026-12-31T22:00:00Z", "2027-01-01T06:00:00.000Z"],
    // Within a day.
    ["12:00", "12:30", "2026-03-10T10:59:00Z", "deliver"],
    ["12:00", "12:30", "2026-03-10T11:00:00Z", "2026-03-10T11:30:00.000Z"],
    ["12:00", "12:30", "2026-03-10T11:30:00Z", "deliver"],
    // Clocks are set forward at 01:00Z: 02:30 does not occur on this day.
    ["22:00", "07:00", "2026-03-28T23:00:00Z", "2026-03-29T05:00:00.000Z"],
    ["22:00", "02:30", "2026-03-29T00:15:00Z", "2026-03-29T01:30:00.000Z"],
    ["22:00", "02:30", "2026-03-29T00:45:00Z", "2026-03-29T01:30:00.000Z"],
    ["22:00", "02:30", "2026-03-29T01:00:00Z", "deliver"],
    // 02:00 to 03:00 occurs twice on this day, first until 01:00Z.
    ["22:00", "02:30", "2026-10-25T00:15:00Z", "2026-10-25T00:30:00.000Z"],
    ["22:00", "02:30", "2026-10-25T01:15:00Z", "2026-10-25T01:30:00.000Z"],
  ])("from %s to %s in Berlin, at %s: %s", (from, to, now, action) => {
    expect(decide([{ quietHours: { ...night, from, to }, to: "a" }], {}, now)[0]).toBe(action)
  })

  it("if groupFor would deliver an update during them", () => {
    const routes = [{ quietHours: { ...night, except: "Critical" }, groupFor: "2 hours", to: "a" }]
    const times = (["Error", "Critical"] as const).map((level) =>
      ["2026-03-10T18:59:59Z", "2026-03-10T20:30:00Z", "2026-03-11T05:30:00Z"].map(
        (now) => decide(routes, { level, state: "updated" }, now, ["a"])[0],
      ),
    )
    expect(times).toEqual([
      ["2026-03-10T20:59:59.000Z", "2026-03-11T06:00:00.000Z", "2026-03-11T07:30:00.000Z"],
      ["deliver", "deliver", "deliver"],
    ])
  })

  it("except those of the excepted level or a higher level", () => {
    const routes = [{ quietHours: { ...night, except: "Error" }, to: "a" }]
    const decisions = (["Critical", "Error", "Warning"] as const).map(
      (level) => decide(routes, { level }, "2026-03-10T23:00:00Z")[0],
    )
    expect(decisions).toEqual(["deliver", "deliver", "2026-03-11T06:00:00.000Z"])
  })
})

describe("a sink", () => {
  const held = { quietHours: night, to: ["a", "b"] }
  const midnight = "2026-03-10T23:00:00Z"

  it("has one decision, the earliest of its routes", () => {
    expect(decide([held, held, { to: "b" }], {}, midnight)).toEqual(["2026-03-11T06:00:00.000Z", "deliver", "skip"])
    const earlier = { ...held, quietHours: { ...night, to: "01:00" } }
    expect(decide([held, earlier], {}, midnight)[0]).toBe("2026-03-11T00:00:00.000Z")
  })

  it.each(["resolved", "withdrawn"] as const)("with an open event gets a %s notification at once", (state) => {
    const routes = [{ ...held, match: { status: "Active" } }]
    const open = ["a", "errors"]
    expect(decide(routes, { state, status: "Resolved" }, midnight, open)).toEqual(["deliver", "skip", "deliver"])
    expect(decide([held], { state }, midnight, ["a"])[1]).toBe("2026-03-11T06:00:00.000Z")
    expect(decide([held], { state: "updated" }, midnight, ["a"])[0]).toBe("2026-03-11T06:00:00.000Z")
  })

  it("gets updates in one notification if its route groups them, unless one opens the event or raises its level", () => {
    const routes = [
      { groupFor: "5 minutes", to: "a" },
      { groupFor: "1 hour", to: "b", quietHours: night },
    ]
    expect(decide(routes)).toEqual(["deliver", "deliver", "skip"])
    const updated = { state: "updated", level: "Error" } as const
    const [inFiveMinutes, inAnHour] = ["2026-03-10T12:05:00.000Z", "2026-03-10T13:00:00.000Z"]
    expect(decide(routes, updated, noon, ["a", "b"])).toEqual([inFiveMinutes, inAnHour, "skip"])
    expect(decide(routes, updated, midnight, ["b"])[1]).toBe("2026-03-11T06:00:00.000Z")
    expect(decide(routes, updated, noon, ["b"])).toEqual(["deliver", inAnHour, "skip"])
    expect(decide(routes, { ...updated, level: "Critical" }, noon, ["b"])[1]).toBe("deliver")
    expect(decide(routes, { ...updated, level: "Warning" }, noon, ["b"])[1]).toBe(inAnHour)
  })

  it("gets the opening in another subscription with the delay of an update, but a reopening at once", () => {
    const routes = [{ groupFor: "1 hour", to: ["a", "b"] }]
    const opened = { state: "opened", level: "Error" } as const
    expect(decide(routes, opened, noon, ["b"]).slice(0, 2)).toEqual(["deliver", "2026-03-10T13:00:00.000Z"])
    expect(decide(routes, { ...opened, state: "reopened" }, noon, ["b"])[1]).toBe("deliver")
  })
})
