import { describe, expect, it } from "@effect/vitest"
import { Delivery, type Notification } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { memory, recorder } from "./deliveries.js"
import { note, routesOf, texts } from "./notifications.js"

describe("a delivery with routes", () => {
  it.scoped("holds notifications back until quiet hours end, and delivers the last state", () =>
    Effect.gen(function* () {
      // The test clock starts at midnight.
      const routes = routesOf({
        sinks: { chat: { type: "slack", url: { env: "A" } } },
        routes: [
          {
            match: { status: "Active" },
            quietHours: { from: "22:00", to: "07:00", timeZone: "UTC", except: "Critical" },
            to: "chat",
          },
        ],
      })
      const { store } = memory()
      const chat = recorder("chat")
      const open = Delivery.make({ sinks: [chat.sink], routes, store })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { deliver, flush } = yield* open
          const level = "Warning"
          yield* deliver(note("1", "opened", { level }))
          yield* deliver(note("2", "updated", { level }))
          yield* deliver(note("3", "opened", { level, key: "b" }))
          // No route matches a resolution, but the opening waits for the sink.
          yield* deliver(note("4", "resolved", { level, key: "b", status: "Resolved" }))
          yield* deliver(note("5", "resolved", { level, key: "c", status: "Resolved" }))
          yield* deliver(note("6", "opened", { level, key: "d" }))
          yield* deliver(note("7", "updated", { key: "d" }))
          yield* flush
          expect(texts(chat.received)).toEqual([["opened", "6\n\n7"]])
          yield* deliver(note("8", "resolved", { level, key: "d", status: "Resolved" }))
          yield* flush
          expect(texts(chat.received).slice(1)).toEqual([["resolved", "8"]])
        }),
      )
      yield* open
      yield* TestClock.adjust("419 minutes")
      expect(chat.received).toHaveLength(2)
      yield* TestClock.adjust("1 minute")
      expect(texts(chat.received).slice(2).toSorted()).toEqual([
        ["opened", "1\n\n2"],
        ["resolved", "3\n\n4"],
      ])
    }),
  )

  it.scoped("joins the updates of each grouping period", () =>
    Effect.gen(function* () {
      const routes = routesOf({
        sinks: { chat: { type: "slack", url: { env: "A" } } },
        routes: [{ groupFor: "5 minutes", to: "chat" }],
      })
      const chat = recorder("chat")
      const { deliver, flush } = yield* Delivery.make({ sinks: [chat.sink], routes })
      yield* deliver(note("1", "opened"))
      yield* flush
      yield* deliver(note("2", "updated"))
      yield* TestClock.adjust("4 minutes")
      yield* deliver(note("3", "updated"))
      yield* TestClock.adjust("1 minute")
      yield* deliver(note("4", "updated"))
      yield* deliver(note("5", "resolved"))
      yield* flush
      expect(texts(chat.received)).toEqual([
        ["opened", "1"],
        ["updated", "2\n\n3"],
        ["resolved", "4\n\n5"],
      ])
    }),
  )
})

describe("a delivery that groups updates", () => {
  it.scoped("sends an escalation at once, to a sink that did not get the event or got a lower level", () =>
    Effect.gen(function* () {
      const slack = { type: "slack", url: { env: "A" } }
      const routes = routesOf({
        sinks: { chat: slack, errors: slack },
        routes: [
          { groupFor: "1 hour", to: "chat" },
          { groupFor: "1 hour", minimumLevel: "Error", to: "errors" },
        ],
      })
      const [chat, errors] = [recorder("chat"), recorder("errors")]
      const { deliver, flush } = yield* Delivery.make({ sinks: [chat.sink, errors.sink], routes })
      const levels = ["Warning", "Warning", "Error", "Error", "Critical"] as const
      for (const [index, level] of levels.entries()) {
        yield* deliver(note(`${index}`, index === 0 ? "opened" : "updated", { level }))
        yield* flush
      }
      expect(texts(chat.received)).toEqual([
        ["opened", "0"],
        ["updated", "1\n\n2"],
        ["updated", "3\n\n4"],
      ])
      expect(texts(errors.received)).toEqual([
        ["opened", "2"],
        ["updated", "3\n\n4"],
      ])
    }),
  )
})

describe("an event of several subscriptions", () => {
  const inA = { subscription: "A" }
  const inB = { subscription: "B" }
  const routes = routesOf({
    sinks: { pager: { type: "slack", url: { env: "A" } }, chat: { type: "slack", url: { env: "A" } } },
    routes: [{ match: { subscription: "B" }, to: "pager" }, { to: "chat" }],
  })

  /** The states that the sinks get. The process restarts after each notification. */
  const received = (notifications: ReadonlyArray<Notification.Notification>) =>
    Effect.gen(function* () {
      const [pager, chat] = [recorder("pager"), recorder("chat")]
      const { store } = memory()
      for (const notification of notifications)
        yield* Effect.scoped(
          Effect.flatMap(Delivery.make({ sinks: [pager.sink, chat.sink], routes, store }), ({ deliver }) =>
            deliver(notification),
          ),
        )
      return [pager, chat].map(({ received }) => received.map(({ state }) => state))
    })

  it.effect("is withdrawn with the last subscription whose notifications the sink gets", () =>
    Effect.gen(function* () {
      const both = [note("1", "opened", inA), note("1", "opened", inB)]
      const withoutA = [...both, note("2", "withdrawn", inA), note("2", "withdrawn", inA)]
      expect(yield* received(withoutA)).toEqual([["opened"], ["opened"]])
      expect(yield* received([...withoutA, note("2", "withdrawn", inB)])).toEqual([
        ["opened", "withdrawn"],
        ["opened", "withdrawn"],
      ])
      // A is not routed to the pager.
      expect(yield* received([...both, note("2", "withdrawn", inB)])).toEqual([["opened", "withdrawn"], ["opened"]])
    }),
  )

  it.effect("is delivered once, even if another subscription had it before", () =>
    Effect.gen(function* () {
      const inC = { subscription: "C" }
      const notifications = [
        note("1", "opened", inA),
        note("1", "opened", inC),
        note("2", "updated", { ...inA, status: "Mitigating" }),
        // It is new in B only.
        note("3", "opened", { ...inB, status: "Mitigating" }),
        note("2", "updated", { ...inC, status: "Mitigating" }),
        // Its former content is news again.
        note("1", "updated", inA),
      ]
      expect((yield* received(notifications))[1]).toEqual(["opened", "updated", "updated", "updated"])
    }),
  )

  it.effect("is not reopened by a late poll of another subscription", () =>
    Effect.gen(function* () {
      const atMinute = (minute: number) => ({ updatedAt: `2026-03-10T11:0${minute}:00.000Z` })
      const resolved = [
        note("1", "opened", { ...inA, ...atMinute(1) }),
        note("1", "opened", { ...inB, ...atMinute(1) }),
        note("2", "resolved", { ...inA, ...atMinute(3), status: "Resolved" }),
      ]
      expect((yield* received([...resolved, note("3", "updated", { ...inB, ...atMinute(2) })]))[1]).toEqual([
        "opened",
        "resolved",
      ])
      // A change in the same subscription, or a later update, opens the event again.
      for (const again of [
        { ...inA, ...atMinute(2) },
        { ...inB, ...atMinute(3) },
      ])
        expect((yield* received([...resolved, note("3", "updated", again)]))[1]).toEqual([
          "opened",
          "resolved",
          "reopened",
        ])
    }),
  )

  it.effect("is not resolved by a late poll of another subscription, and reopened once", () =>
    Effect.gen(function* () {
      const atMinute = (minute: number) => ({ updatedAt: `2026-03-10T11:0${minute}:00.000Z` })
      const late = [
        note("1", "opened", { ...inA, ...atMinute(1) }),
        note("1", "opened", { ...inB, ...atMinute(1) }),
        note("2", "updated", { ...inA, ...atMinute(3) }),
        note("3", "resolved", { ...inB, ...atMinute(2), status: "Resolved" }),
      ]
      expect((yield* received(late))[1]).toEqual(["opened", "updated"])
      const twice = [
        note("1", "opened", { ...inA, ...atMinute(1) }),
        note("2", "resolved", { ...inA, ...atMinute(2), status: "Resolved" }),
        note("3", "reopened", { ...inA, ...atMinute(3) }),
        note("4", "reopened", { ...inB, ...atMinute(4) }),
      ]
      expect((yield* received(twice))[1]).toEqual(["opened", "resolved", "reopened", "updated"])
    }),
  )

  it.effect("is resolved when the first subscription resolves it", () =>
    Effect.gen(function* () {
      const status = "Resolved"
      const notifications = [
        note("1", "opened", inA),
        note("1", "opened", inB),
        note("2", "resolved", { ...inA, status }),
        note("2", "resolved", { ...inB, status }),
        note("3", "withdrawn", { ...inB, status }),
      ]
      expect((yield* received(notifications))[0]).toEqual(["opened", "resolved", "withdrawn"])
    }),
  )
})
