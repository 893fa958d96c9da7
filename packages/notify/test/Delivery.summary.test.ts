/** What a sink gets of events that open at the same time. */
import { describe, expect, it } from "@effect/vitest"
import * as TestHttpClient from "@vigil/testing/TestHttpClient"
import { Delivery, type Notification, PagerDuty } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { makeDelivery, memory, type Outcome, recorder } from "./deliveries.js"
import { note, routesOf } from "./notifications.js"

const levels = ["Informational", "Critical", "Warning", "Error", "Warning", "Error", "Warning"] as const

/** Seven openings: five service issues, then two notices of maintenance. */
const openings = levels.map((level, index) =>
  note(`${index}`, "opened", {
    key: `k${index}`,
    level,
    type: index < 5 ? "ServiceIssue" : "PlannedMaintenance",
    title: `Active: Event ${index}`,
    link: `https://portal.example/${index}`,
    regions: ["West Europe"],
  }),
)

/** A new sink, its delivery, and what it gets after the openings. */
const start = Effect.sync(() => {
  const target: { outcome: Outcome } = { outcome: "accepts" }
  const { received, sink, states } = recorder("chat", () => target.outcome)
  const { store } = memory(undefined, "")
  const make = Delivery.make({ sinks: [sink], store })
  const run = (...notifications: ReadonlyArray<Notification.Notification>) =>
    Effect.scoped(
      Effect.flatMap(make, ({ deliver, flush }) =>
        Effect.andThen(Effect.forEach(notifications, deliver, { discard: true }), flush),
      ),
    )
  return { target, received, states, make, run }
})

describe("the first openings of a sink", () => {
  it.effect("are one summary: counts by type and level, and the five most severe events", () =>
    Effect.gen(function* () {
      const { make, received } = yield* start
      const { deliver } = yield* make
      yield* Effect.forEach(openings, deliver)
      yield* TestClock.adjust("9 seconds")
      expect(received).toEqual([])
      yield* TestClock.adjust("1 second")
      expect(received).toMatchObject([
        {
          state: "summary",
          level: "Critical",
          title: "7 active events: 1 Critical, 2 Error, 3 Warning, 1 Informational",
          link: "https://portal.example/1",
        },
      ])
      const at = "since 2026-03-10 11:00 UTC"
      expect(received[0]?.text.split("\n")).toEqual([
        "ServiceIssue: 1 Critical, 1 Error, 2 Warning, 1 Informational",
        "PlannedMaintenance: 1 Error, 1 Warning",
        "",
        `- Critical: Event 1 (K1, West Europe, ${at}) https://portal.example/1`,
        `- Error: Event 3 (K3, West Europe, ${at}) https://portal.example/3`,
        `- Error: Event 5 (K5, West Europe, ${at}) https://portal.example/5`,
        `- Warning: Event 2 (K2, West Europe, ${at}) https://portal.example/2`,
        `- Warning: Event 4 (K4, West Europe, ${at}) https://portal.example/4`,
        "",
        "And 2 more. Each one that changes is sent in a message of its own.",
        "",
        "Only events that were updated in the period of the watch (default: 90 days) are counted.",
      ])
    }),
  )

  it.effect("are one summary of more events than messages may wait", () =>
    Effect.gen(function* () {
      const { received, sink } = recorder("chat")
      const { deadLetters, deliver, flush } = yield* Delivery.make({ sinks: [sink] })
      for (let index = 0; index < 1_001; index++) yield* deliver(note(`${index}`, "opened", { key: `k${index}` }))
      yield* flush
      expect(received.map(({ title }) => title)).toEqual(["1001 active events: 1001 Critical"])
      expect(yield* deadLetters).toEqual([])
    }),
  )

  it.effect("leave out what ends before the summary, which no update delays", () =>
    Effect.gen(function* () {
      const { make, received } = yield* start
      const { deliver } = yield* make
      yield* Effect.forEach(openings, deliver)
      yield* TestClock.adjust("8 seconds")
      yield* deliver(note("u", "updated", { key: "k0" }))
      yield* deliver(note("r", "resolved", { key: "k1" }))
      yield* TestClock.adjust("2 seconds")
      expect(received.map(({ title }) => title)).toEqual(["6 active events: 1 Critical, 2 Error, 3 Warning"])
    }),
  )

  it.effect("get their updates and resolutions, also if they were not in the text, and after a restart", () =>
    Effect.gen(function* () {
      const { run, states } = yield* start
      yield* run(...openings)
      yield* run(
        note("8", "updated", { key: "k0" }),
        note("9", "resolved", { key: "k6" }),
        note("10", "opened", { key: "new" }),
      )
      expect(states().slice(1).toSorted()).toEqual(["k0:updated", "k6:resolved", "new:opened"])
    }),
  )

  it.effect("stay one summary with the same ID while the sink fails, and changes follow it", () =>
    Effect.gen(function* () {
      const { received, run, states, target } = yield* start
      target.outcome = "unavailable"
      yield* run(...openings)
      yield* run(note("8", "resolved", { key: "k1" }))
      target.outcome = "accepts"
      yield* run()
      expect(received.map(({ state }) => state)).toEqual(["summary", "resolved"])
      yield* run(...openings.filter(({ key }) => key !== "k1"))
      expect(states()).toHaveLength(2)
    }),
  )

  it.effect("may be a dead letter, and then each change opens its event", () =>
    Effect.gen(function* () {
      const { make, run, states, target } = yield* start
      target.outcome = "refuses"
      yield* run(...openings)
      target.outcome = "accepts"
      yield* run(note("8", "updated", { key: "k0" }))
      expect(states()).toEqual(["k0:reopened"])
      const { deadLetters, flush, resendDeadLetters } = yield* make
      const [letter] = yield* deadLetters
      yield* resendDeadLetters("chat", [letter?.notification.id ?? ""])
      yield* flush
      expect(states()).toEqual(["k0:reopened", `${letter?.notification.key}:summary`])
    }),
  )

  it.effect("are a notification of its own if there is one", () =>
    Effect.gen(function* () {
      const { run, states } = yield* start
      yield* run(...openings.slice(0, 2), note("8", "resolved", { key: "k1", status: "Resolved" }))
      expect(states()).toEqual(["k0:opened"])
    }),
  )

  it.effect("end with one that follows the resolution of its event", () =>
    Effect.gen(function* () {
      const { make, states, target } = yield* start
      const { deliver } = yield* make
      target.outcome = "unavailable"
      yield* deliver(note("1", "resolved", { status: "Resolved" }))
      yield* TestClock.adjust(0)
      yield* deliver(note("2", "reopened"))
      target.outcome = "accepts"
      yield* TestClock.adjust("1 second")
      yield* deliver(note("3", "opened", { key: "other" }))
      yield* TestClock.adjust("1 second")
      expect(states()).toEqual(["ab12:resolved", "ab12:reopened", "other:opened"])
    }),
  )

  it.effect.each([{ repeatEvery: "1 hour" }, { keepsEvents: true }] as const)(
    "are notifications of their own for a sink with %j",
    (settings) =>
      Effect.gen(function* () {
        const { sink, states } = recorder("alerts")
        const { deliver, flush } = yield* Delivery.make({ sinks: [{ ...sink, ...settings }] })
        yield* Effect.forEach(openings.slice(0, 3), deliver)
        yield* flush
        expect(states().toSorted()).toEqual(["k0:opened", "k1:opened", "k2:opened"])
      }),
  )

  it.effect("are alerts of their own in PagerDuty", () =>
    Effect.gen(function* () {
      const keys: Array<unknown> = []
      const http = TestHttpClient.layer(({ body }) => {
        keys.push(JSON.parse(body).dedup_key)
        return { status: 202, json: { status: "success" } }
      })
      const routingKey = Redacted.make("k".repeat(32))
      const sink = yield* Effect.provide(PagerDuty.make({ routingKey }), http)
      const { deliver, flush } = yield* Delivery.make({ sinks: [sink] })
      yield* Effect.forEach(openings.slice(0, 3), deliver)
      yield* flush
      expect(keys.toSorted()).toEqual(["k0", "k1", "k2"])
    }),
  )
})

it.effect("openings are joined if a route groups them, or holds them back", () =>
  Effect.gen(function* () {
    const slack = { type: "slack", url: { env: "A" } }
    const routes = routesOf({
      sinks: { grouped: slack, quiet: slack, plain: slack },
      routes: [
        { to: "grouped", groupFor: "1 hour" },
        { to: "quiet", quietHours: { from: "23:00", to: "07:00", timeZone: "UTC" } },
        { to: "plain" },
      ],
    })
    const all = ["grouped", "quiet", "plain"].map((name) => recorder(name))
    const { deliver } = yield* makeDelivery({ sinks: all.map(({ sink }) => sink), routes })
    yield* Effect.forEach(openings.slice(0, 3), deliver)
    const counts = () => all.map(({ received }) => received.length)
    yield* TestClock.adjust("1 second")
    expect(counts()).toEqual([0, 0, 3])
    yield* TestClock.adjust("9 seconds")
    expect(counts()).toEqual([1, 0, 3])
    yield* TestClock.adjust("7 hours")
    expect(counts()).toEqual([1, 1, 3])
  }),
)
