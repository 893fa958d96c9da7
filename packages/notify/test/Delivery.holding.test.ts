import { describe, expect, it } from "@effect/vitest"
import { Notification } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { makeDelivery, memory, recorder } from "./deliveries.js"
import { note, routesOf, texts } from "./notifications.js"

describe("a delivery with routes", () => {
  it.effect("holds notifications back until quiet hours end, and delivers the last state", () =>
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
      const open = makeDelivery({ sinks: [chat.sink], routes, store })
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

  it.effect("ends a reopening that waits behind a resolution that failed, even if no route matches its end", () =>
    Effect.gen(function* () {
      const routes = routesOf({
        sinks: { chat: { type: "slack", url: { env: "A" } } },
        routes: [{ match: { status: "Active" }, to: "chat" }],
      })
      let isDown = false
      const chat = recorder("chat", () => (isDown ? "unavailable" : "accepts"))
      const { deliver, flush } = yield* makeDelivery({ sinks: [chat.sink], routes })
      yield* deliver(note("1", "opened"))
      yield* flush
      isDown = true
      yield* deliver(note("2", "resolved", { status: "Resolved" }))
      yield* flush
      yield* deliver(note("3", "reopened"))
      yield* deliver(note("4", "resolved", { status: "Resolved" }))
      isDown = false
      yield* TestClock.adjust("1 minute")
      yield* flush
      expect(chat.states().at(-1)).toBe("ab12:resolved")
      expect(chat.received.at(-1)?.text).toContain("4")
    }),
  )

  it.effect("sends an escalation at once, to a sink that did not get the event or got a lower level", () =>
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
      const { deliver, flush } = yield* makeDelivery({ sinks: [chat.sink, errors.sink], routes })
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
  const slack = { type: "slack", url: { env: "A" } }
  const routes = routesOf({
    sinks: { pager: slack, chat: slack },
    routes: [{ match: { subscription: "B" }, to: "pager" }, { to: "chat" }],
  })

  /** A notification such as `1 opened A Active 3`: its ID, state and subscription, its status, and the minute of its update time. */
  const parse = (text: string): Notification.Notification => {
    const [id = "", state, subscription = "", status = "Active", minute = "0"] = text.split(" ")
    const updatedAt = `2026-03-10T11:0${minute}:00.000Z`
    return note(id, Schema.decodeUnknownSync(Notification.State)(state), { subscription, status, updatedAt })
  }

  const both = "1 opened A, 1 opened B"
  const withoutA = `${both}, 2 withdrawn A, 2 withdrawn A`
  const resolved = "1 opened A Active 1, 1 opened B Active 1, 2 resolved A Resolved 3"
  const changed = "1 opened A, 1 opened C, 2 updated A Mitigating, 3 opened B Mitigating, 2 updated C Mitigating"

  // The process restarts after each notification.
  it.effect.each<readonly [string, string, { readonly pager?: string; readonly chat?: string }]>([
    ["is not withdrawn with the first subscription", withoutA, { pager: "opened", chat: "opened" }],
    [
      "is withdrawn with the last subscription",
      `${withoutA}, 2 withdrawn B`,
      { pager: "opened withdrawn", chat: "opened withdrawn" },
    ],
    [
      "is withdrawn with the last subscription whose notifications the sink gets",
      `${both}, 2 withdrawn B`,
      { pager: "opened withdrawn", chat: "opened" },
    ],
    [
      // The former content is news again in the subscription of the last notification.
      "is delivered once if several subscriptions have it with the same update time",
      `${changed}, 1 updated A`,
      { pager: "opened", chat: "opened updated updated" },
    ],
    [
      "is not reopened by a late poll of another subscription",
      `${resolved}, 3 updated B Active 2`,
      { chat: "opened resolved" },
    ],
    [
      "is reopened by a change in the same subscription",
      `${resolved}, 3 updated A Active 2`,
      { chat: "opened resolved reopened" },
    ],
    [
      "is reopened by a later update of another subscription",
      `${resolved}, 3 updated B Active 3`,
      { chat: "opened resolved reopened" },
    ],
    [
      "is not resolved by a late poll of another subscription",
      "1 opened A Active 1, 1 opened B Active 1, 2 updated A Active 3, 3 resolved B Resolved 2",
      { chat: "opened updated" },
    ],
    [
      "is withdrawn with the last subscription after a late poll of another one resolved it",
      "1 opened A Active 3, 1 opened B Active 2, 2 resolved B Resolved 2, 3 withdrawn A Active 3",
      { chat: "opened withdrawn" },
    ],
    [
      "is reopened once",
      "1 opened A Active 1, 2 resolved A Resolved 2, 3 reopened A Active 3, 4 reopened B Active 4",
      { chat: "opened resolved reopened updated" },
    ],
    [
      "is resolved when the first subscription resolves it, and not withdrawn afterwards",
      `${both}, 2 resolved A Resolved, 2 resolved B Resolved, 3 withdrawn B Resolved`,
      { pager: "opened resolved" },
    ],
  ])("%s", ([, notifications, expected]) =>
    Effect.gen(function* () {
      const [pager, chat] = [recorder("pager"), recorder("chat")]
      const { store } = memory()
      const make = makeDelivery({ sinks: [pager.sink, chat.sink], routes, store })
      for (const text of notifications.split(", "))
        yield* Effect.scoped(Effect.flatMap(make, ({ deliver }) => deliver(parse(text))))
      const states = ({ received }: typeof chat) => received.map(({ state }) => state).join(" ")
      expect({ pager: states(pager), chat: states(chat) }).toMatchObject(expected)
    }),
  )
})
