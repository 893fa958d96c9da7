/** Tools without an answer say what failed and what to do. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as HealthTools from "../src/HealthTools.js"
import { event, withData } from "./connect.js"

const data = {
  subscriptions: { a: [event("A"), 7], b: { status: 403, body: { error: { code: "NoAccess", message: "No." } } } },
}

describe("the tools", () => {
  it.live.each<
    readonly [tool: keyof typeof HealthTools.toolkit.tools, args: Readonly<Record<string, unknown>>, message: RegExp]
  >([
    ["list_events", { subscriptions: ["b"] }, /^Could not list the events of any subscription\. .*403/],
    ["summarize_health", { subscriptions: ["b"] }, /^Could not list/],
    ["compare_since", { subscriptions: ["b"] }, /403/],
    ["get_event", { trackingId: "Z", subscriptions: ["a"] }, /^No subscription has the event "Z"/],
    ["get_event", { trackingId: "A", subscriptions: ["b"] }, /403/],
    ["list_impacted_resources", { trackingId: "A", subscriptions: ["a"] }, /404/],
    ["list_events", { cursor: "x" }, /^The cursor is invalid or has ended/],
    ["compare_since", { cursor: "x" }, /^The cursor is invalid or has ended/],
    ["list_events", { level: ["High"] }, /level/],
    ["list_events", { limit: 3 }, /limit/],
    ["get_event", { trackingId: "a/b" }, /trackingId/],
  ])("%s fails with %o", ([tool, args, message]) =>
    Effect.gen(function* () {
      const { call } = yield* withData(data)
      expect((yield* call(tool, args)).error).toMatch(message)
    }),
  )

  it.live("ask for subscriptions if none is configured", () =>
    Effect.gen(function* () {
      const { call } = yield* withData({})
      expect((yield* call("list_events")).error).toMatch(/Ask the user/)
    }),
  )

  it.live("name the subscriptions that failed, and count invalid entries", () =>
    Effect.gen(function* () {
      const { call } = yield* withData(data)
      expect(yield* call("summarize_health")).toMatchObject({
        events: 1,
        invalidEntries: 1,
        failed: [expect.stringMatching(/^b: .*403/)],
      })
      const partly = { invalidEntries: 1, failed: [expect.stringMatching(/^b: .*403/)] }
      expect(yield* call("list_events")).toMatchObject(partly)
      const compared = yield* call("compare_since")
      expect(compared).toMatchObject(partly)
      expect(yield* call("compare_since", { cursor: compared.cursor })).toMatchObject({ ...partly, entries: [] })
      expect(yield* call("get_event", { trackingId: "A", subscriptions: ["b", "a"] })).toMatchObject({
        event: { trackingId: "A" },
      })
    }),
  )
})
