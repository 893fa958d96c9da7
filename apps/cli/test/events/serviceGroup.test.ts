/** `--service-group` of `vigil events list` and `vigil resources list`. */
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { run } from "../support/run.js"
import { service } from "../support/service.js"

const event = (subscription: string) => ({
  id: `/subscriptions/${subscription}/providers/Vendor.ResourceHealth/events/AB12-CD3`,
  name: "AB12-CD3",
  properties: { eventType: "ServiceIssue", status: "Active", title: "Down" },
})

const resource = "/subscriptions/s1/resourceGroups/g/providers/Vendor.Web/sites/shop"

const status = {
  id: `${resource}/providers/Vendor.ResourceHealth/availabilityStatuses/current`,
  properties: { availabilityState: "Unavailable" },
}

const serve = Faults.serve(({ target }) => {
  if (target.includes("/availabilityStatuses")) return Reply.page([status])
  return Reply.page(target.includes("/serviceGroups/") ? [event("s1"), event("s2")] : [])
})

describe("a service group", () => {
  it.live("lists both records of an event of two subscriptions, which may be relevant", () =>
    Effect.gen(function* () {
      const { origin, requests } = yield* serve
      const { code, data, notes } = yield* run(`events list --service-group shop --base-url ${origin} -o csv`)
      expect({ code, rows: data.map((row) => row.split(",")[0]) }).toEqual({
        code: 0,
        rows: ["subscription", "s1", "s2"],
      })
      expect(notes).toEqual(["2 events that may be relevant to the service group shop on 1 page"])
      expect((yield* requests).map(({ target }) => target)).toEqual([
        "/providers/Microsoft.Management/serviceGroups/shop/providers/Vendor.ResourceHealth/events?api-version=2026-08-01-preview",
      ])
    }),
  )

  it.live("lists its resources, and the causes in their subscriptions", () =>
    Effect.gen(function* () {
      const { origin, requests } = yield* serve
      const { code, data, notes } = yield* run(`resources list --service-group shop --base-url ${origin} -o csv`)
      expect({ code, rows: data.length }).toEqual({ code: 0, rows: 2 })
      expect(data[1]).toContain("shop")
      expect(notes.join("\n")).toContain("In the service group shop, 1 of 1 resource is not available")
      const targets = (yield* requests).map(({ target }) => target.split("?")[0])
      expect(targets[0]).toBe(
        "/providers/Microsoft.Management/serviceGroups/shop/providers/Vendor.ResourceHealth/availabilityStatuses",
      )
      expect(targets).toContain("/subscriptions/s1/providers/Vendor.ResourceHealth/events")
    }),
  )

  it.live.each(["events list", "resources list"])("of the sandbox has %s", (line) =>
    Effect.gen(function* () {
      const { code, data } = yield* run(`${line} --sandbox --service-group web-shop`)
      expect([code, data.length > 1]).toEqual([0, true])
      expect(yield* run(`${line} --sandbox --service-group none`)).toMatchObject({ code: 4, data: [] })
    }),
  )

  it.live("that is not enabled for the tenant is forbidden", () =>
    Effect.gen(function* () {
      const body = `{"error":{"code":"Forbidden","message":"Access to this preview operation is not permitted."}}`
      const origin = yield* service({ status: 403, body })
      const { code, notes } = yield* run(`events list --service-group shop --base-url ${origin}`)
      expect({ code, notes }).toEqual({
        code: 4,
        notes: [expect.stringContaining("preview operation is not permitted")],
      })
    }),
  )

  it.live.each([
    "events list --service-group a -s b",
    "events list --service-group a --tenant-wide",
    "events list --service-group a --since 3d",
    "events list --service-group a --filter x",
    "events list --service-group a/b",
    "resources list --service-group a -s b",
    "resources list --service-group a --watch",
  ])("is not valid in vigil %s", (line) =>
    Effect.gen(function* () {
      const { code, notes } = yield* run(`${line} --sandbox`)
      expect({ code, notes }).toEqual({ code: 2, notes: [expect.stringContaining("--service-group")] })
    }),
  )
})
