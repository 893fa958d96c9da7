/** Tools without an answer say what failed and what to do. */
import { describe, expect, it } from "@effect/vitest"
import { Connection, Credential, HealthClient, SubscriptionId } from "@vigil/health-client"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import type * as HealthTools from "../src/HealthTools.js"
import { connect, event, noIssues, withData } from "./connect.js"

const data = {
  subscriptions: {
    a: [event("A"), 7],
    b: { status: 403, body: { error: { code: "NoAccess", message: "No <redacted>." } } },
  },
  impactedResources: { A: [] },
}

const expectNoCounts = (answer: object) => {
  for (const name of ["total", "activeIssues", "activeNotices", "started", "resolved", "updated", "remaining", "event"])
    expect(answer).not.toHaveProperty(name)
}

describe("the tools", () => {
  it.live.each<
    readonly [tool: keyof typeof HealthTools.toolkit.tools, args: Readonly<Record<string, unknown>>, message: RegExp]
  >([
    ["health_event_details", { trackingId: "Z", subscriptions: ["a"] }, /^No list has the event "Z"\. Check/],
    ["health_impacted_resources", { trackingId: "Z", subscriptions: ["a"] }, /^No list has the event "Z"\. Check/],
    ["health_events", { cursor: "x" }, /^The cursor is invalid, has ended/],
    ["health_changes", { cursor: "x" }, /^The cursor is invalid, has ended/],
    ["health_changes", { cursor: "x", since: "1h" }, /either since or cursor/],
    ["health_changes", { since: "yesterday" }, /^since is not an ISO 8601 time/],
    ["health_events", { from: "next week" }, /^from is not an ISO 8601 time/],
    ["health_events", { level: ["High"] }, /level/],
    ["health_events", { limit: 3 }, /limit/],
    ["health_events", { subscriptions: ["../x"] }, /^"..\/x" is neither a name nor an ID/],
    ["health_events", { subscriptions: Array.from({ length: 101 }, String) }, /subscriptions/],
    ["health_events", { subscriptions: ["twice"] }, /^2 subscriptions have this name/],
  ])("%s fails with %o", ([tool, args, message]) =>
    Effect.gen(function* () {
      const names = ["a", "b"].map((id) => ({ id, name: "Twice" }))
      const { call } = yield* withData(data, { names })
      expect((yield* call(tool, args)).error).toMatch(message)
    }),
  )

  it.live("say which API versions the service supports, if it rejects that of requests", () =>
    Effect.gen(function* () {
      const message = "The supported versions are '2025-05-01,2022-10-01'."
      const rejected = { status: 400, body: { error: { code: "InvalidApiVersionParameter", message } } }
      const { call } = yield* withData({ subscriptions: { a: rejected } })
      const answer = yield* call("health_events", { subscriptions: ["a"] })
      expect(JSON.stringify(answer)).toContain(
        "start these tools with 2025-05-01 or 2022-10-01 (--api-version of vigil)",
      )
    }),
  )

  it.live("ask for subscriptions if none is configured", () =>
    Effect.gen(function* () {
      const { call } = yield* withData({})
      expect((yield* call("health_events")).error).toMatch(/Ask the user/)
    }),
  )

  it.live.each([
    ["health_events", {}],
    ["health_summary", {}],
    ["health_changes", {}],
    ["health_event_details", { trackingId: "A" }],
    ["health_impacted_resources", { trackingId: "A" }],
  ] as const)("%s is unknown if no subscription could be read, without counts", ([tool, args]) =>
    Effect.gen(function* () {
      const { call } = yield* withData(data)
      const answer = yield* call(tool, { ...args, subscriptions: ["b"] })
      expect(answer).toMatchObject({
        status: "unknown",
        subscriptions: {
          covered: [],
          failed: [{ id: "b", quotedReason: expect.stringContaining("403 NoAccess: No <redacted>.") }],
        },
      })
      expectNoCounts(answer)
    }),
  )

  it.live("are unknown if no entry could be read", () =>
    Effect.gen(function* () {
      const lists = yield* withData({ subscriptions: { a: [7] } })
      const resources = yield* withData({ subscriptions: { a: [event("A")] }, impactedResources: { A: [7] } })
      for (const answer of [
        yield* lists.call("health_summary"),
        yield* resources.call("health_impacted_resources", { trackingId: "A" }),
      ]) {
        expect(answer).toMatchObject({ status: "unknown", invalidEntries: 1 })
        expectNoCounts(answer)
      }
    }),
  )

  it.live("say over which period and of which subscriptions they are, and count invalid entries", () =>
    Effect.gen(function* () {
      const { call } = yield* withData(data, { names: [{ id: "a", name: "Production" }] })
      const answer = yield* call("health_summary", { subscriptions: ["production", "b", "prodaction"] })
      expect(answer).toMatchObject({
        status: "partial",
        quotedHints: ['No subscription is named "prodaction". Did you mean "Production"?'],
        activeIssues: 1,
        invalidEntries: 1,
        subscriptions: { covered: [{ id: "a", name: "Production" }], failed: [{ id: "b" }, { id: "prodaction" }] },
      })
      expect(Date.parse(answer.period.to) - Date.parse(answer.period.from)).toBe(90 * 24 * 3_600_000)
    }),
  )

  it.live("read at most 100 subscriptions a call, and name the others as failed", () =>
    Effect.gen(function* () {
      const { call } = yield* withData({
        subscriptions: Object.fromEntries(Array.from({ length: 102 }, (_, id) => [id, []])),
      })
      expect((yield* call("health_events")).subscriptions).toMatchObject({
        coveredCount: 100,
        failedCount: 2,
        failed: [{ id: "100" }, { id: "101" }],
      })
    }),
  )

  it.live("take an ID for an ID, also if another subscription has it as its name", () =>
    Effect.gen(function* () {
      const { call } = yield* withData(
        { subscriptions: { victim: [event("V")], attacker: [event("X")] } },
        { names: [{ id: "attacker", name: "victim" }] },
      )
      expect(yield* call("health_events", { subscriptions: ["victim"] })).toMatchObject({
        entries: [{ trackingId: "V" }],
      })
    }),
  )

  it.live("refuse a cursor with other arguments", () =>
    Effect.gen(function* () {
      const events = Array.from({ length: 20 }, (_, index) => event(`E${index}`))
      const { call } = yield* withData({ subscriptions: { a: events } }, { budget: 2000 })
      for (const tool of ["health_events", "health_changes"] as const) {
        const { cursor } = yield* call(tool, { status: ["Active"] })
        expect(cursor).toEqual(expect.any(String))
        expect((yield* call(tool, { status: ["Resolved"], cursor })).error).toMatch(/other arguments/)
        expect((yield* call(tool, { status: ["Active"], cursor })).entries[0]?.trackingId).toMatch(/^E/)
      }
    }),
  )

  it.effect("read the other subscriptions while one hangs", () =>
    Effect.gen(function* () {
      const respond = (request: HttpClientRequest.HttpClientRequest) =>
        request.url.includes("/subscriptions/a/")
          ? Effect.never
          : Effect.succeed(
              HttpClientResponse.fromWeb(
                request,
                Response.json({ value: request.url.includes("/emergingIssues") ? [noIssues] : [] }),
              ),
            )
      const health = HealthClient.layer.pipe(
        Layer.provide(Connection.layer({ baseUrl: "https://example.test", credential: Credential.none })),
        Layer.provide(Layer.succeed(HttpClient.HttpClient, HttpClient.make(respond))),
      )
      const { call } = yield* connect(health)
      const hanging = Array.from({ length: 16 }, () => call("health_events", { subscriptions: ["a"] }))
      yield* Effect.forkChild(Effect.all(hanging, { concurrency: "unbounded" }))
      yield* Effect.repeat(Effect.yieldNow, { times: 100 })
      expect(yield* call("health_events", { subscriptions: ["b"] })).toMatchObject({ status: "complete", total: 0 })
    }),
  )

  it.effect("answer within 25 seconds, also if the service never does", () =>
    Effect.gen(function* () {
      const health = HealthClient.layer.pipe(
        Layer.provide(Connection.layer({ baseUrl: "https://example.test", credential: Credential.none })),
        Layer.provide(
          Layer.succeed(
            HttpClient.HttpClient,
            HttpClient.make(() => Effect.never),
          ),
        ),
      )
      const { call } = yield* connect(health, { subscriptions: [SubscriptionId.make("a")] })
      const fiber = yield* Effect.forkChild(call("health_events"))
      yield* Effect.repeat(Effect.andThen(Effect.yieldNow, TestClock.adjust("1 second")), { times: 60 })
      expect(yield* Fiber.join(fiber)).toMatchObject({
        status: "unknown",
        subscriptions: { failed: [{ id: "a", quotedReason: expect.stringContaining("24s") }] },
      })
    }),
  )
})
