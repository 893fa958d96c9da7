/** Notifications of the states of resources. */
import { ResourceNotification, Routes } from "@vigil/notify"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { routesOf } from "./notifications.js"

const id = "/subscriptions/S1/resourceGroups/shop/providers/V.Web/sites/Web-1"

const status = (availabilityState: string, properties: object) => {
  const sent = {
    location: "westeurope",
    properties: { availabilityState, occuredTime: "2026-03-10T11:00:00Z", ...properties },
  }
  return Result.getOrThrow(AvailabilityStatus.decode(sent))
}

type Tag = "Appeared" | "Changed" | "Recovered"

const change = (_tag: Tag, before: string | undefined, state: string, properties: object = {}) => ({
  _tag,
  id,
  state,
  status: status(state, properties),
  ...(before === undefined ? {} : { before }),
})

describe("ResourceNotification.fromChange", () => {
  it("describes the resource, its state, and the event that explains it", () => {
    const properties = { reasonType: "Unplanned", summary: "<p>We look &amp; see.</p>", healthEventId: "AB12-CD3" }
    const options = { subscription: "s1", subscriptionName: "Production", link: "https://status.example/#resources" }
    expect(ResourceNotification.fromChange(change("Appeared", undefined, "Unavailable", properties), options)).toEqual({
      id: expect.stringMatching(/-opened-[\da-f]{16}$/),
      key: id.toLowerCase(),
      state: "opened",
      level: "Error",
      trackingId: "AB12-CD3",
      type: "Resource",
      status: "Active",
      title: "Web-1 is Unavailable (Unplanned)",
      services: ["V.Web/sites"],
      regions: ["westeurope"],
      subscription: "s1",
      subscriptionName: "Production",
      startedAt: "2026-03-10T11:00:00.000Z",
      updatedAt: "2026-03-10T11:00:00.000Z",
      endedAt: null,
      link: "https://status.example/#resources",
      text: `We look & see.\n\n${id}`,
    })
  })

  it.each([
    [change("Appeared", undefined, "Available"), undefined],
    [change("Appeared", undefined, "Degraded"), "opened Warning Active: Web-1 is Degraded"],
    [change("Changed", "Available", "Unknown"), "opened Informational Active: Web-1 is Unknown"],
    [change("Changed", "Degraded", "Unavailable"), "updated Error Active: Web-1 is Unavailable"],
    [
      change("Changed", "Available", "Unavailable", { reasonType: "Customer Initiated" }),
      "opened Informational Active: Web-1 is Unavailable (Customer Initiated)",
    ],
    [change("Recovered", "Degraded", "Available"), "resolved Informational Resolved: Web-1 is Available"],
    [
      { _tag: "Disappeared" as const, id, before: "Degraded" },
      "withdrawn Informational Resolved: Web-1 is no longer listed",
    ],
    [{ _tag: "Disappeared" as const, id, before: "Available" }, undefined],
  ])("of %j is %s", (change, expected) => {
    const found = ResourceNotification.fromChange(change)
    expect(found && `${found.state} ${found.level} ${found.status}: ${found.title}`).toBe(expected)
  })

  it("has the same ID when the same state is read again, and another one for another outage", () => {
    const idOf = (properties: object) =>
      ResourceNotification.fromChange(change("Changed", "Available", "Unavailable", properties))?.id
    expect(idOf({ reportedTime: "2026-03-10T12:00:00Z" })).toBe(idOf({ reportedTime: "2026-03-10T12:05:00Z" }))
    expect(idOf({ occuredTime: "2026-03-11T11:00:00Z" })).not.toBe(idOf({}))
    const gone = (since: string) =>
      ResourceNotification.fromChange({ _tag: "Disappeared", id, before: "Degraded", since })?.id
    expect(gone("2026-03-10T11:00:00Z")).not.toBe(gone("2026-03-11T11:00:00Z"))
  })

  it("is matched by routes of its type", () => {
    const hook = { type: "alertmanager", url: "http://127.0.0.1:9093" }
    const routes = routesOf({
      sinks: { owners: hook, pager: hook },
      routes: [
        { match: { type: "Resource", service: "v.web/sites", region: "West Europe" }, to: "owners" },
        { match: { type: "ServiceIssue" }, to: "pager" },
      ],
    })
    const found = ResourceNotification.fromChange(change("Changed", "Available", "Degraded"))
    expect(found && Routes.sinksFor(routes, found, DateTime.makeUnsafe(0))).toMatchObject([
      { sink: "owners", action: "deliver" },
      { sink: "pager", action: "skip" },
    ])
  })
})
