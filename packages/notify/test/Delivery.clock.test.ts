/** Waits of a delivery while the clock of the machine is set. */
import { describe, expect, it } from "@effect/vitest"
import { Delivery, type Notification } from "@vigil/notify"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as manualClock from "./manualClock.js"
import { memory, type Outcome, recorder } from "./deliveries.js"
import { note, routesOf } from "./notifications.js"

const start = Date.parse("2026-03-10T12:00:00Z")
const hour = 3_600_000
const steps = [-2 * hour, 2 * hour, -40 * 24 * hour, 40 * 24 * hour]

/** The longest wait after a failure. */
const longest = 300_000

const routes = routesOf({
  sinks: { chat: { type: "slack", url: { env: "A" } } },
  routes: [{ to: "chat", quietHours: { from: "11:00", to: "12:04", timeZone: "UTC" } }],
})

/** What waits: for a retry, for other openings, and for the end of quiet hours. */
const waits: Readonly<
  Record<string, { readonly outcome: Outcome; readonly initial?: string; readonly routes?: typeof routes }>
> = {
  "a retry": { outcome: "unavailable" },
  "the first summary": { outcome: "accepts", initial: "" },
  "the end of quiet hours": { outcome: "accepts", routes },
}

const cases = Object.keys(waits).flatMap((name) => steps.map((step) => [name, step / hour, step] as const))

const scene = (name: string) =>
  Effect.gen(function* () {
    const { advance, clock, set } = yield* manualClock.make(start)
    const wait = waits[name]
    const state = { outcome: wait?.outcome ?? "accepts" }
    const chat = recorder("chat", () => state.outcome)
    const store = memory(undefined, wait?.initial)
    const make = (store: Delivery.Options["store"]) =>
      Effect.provideService(Delivery.make({ sinks: [chat.sink], store, routes: wait?.routes }), Clock.Clock, clock)
    const all: ReadonlyArray<Notification.Notification> = [note("1", "opened"), note("2", "opened", { key: "b" })]
    /** The attempts of the first seconds fail. */
    const begin = Effect.gen(function* () {
      const { deliver } = yield* make(store.store)
      yield* Effect.provideService(Effect.forEach(all, deliver, { discard: true }), Clock.Clock, clock)
      yield* advance(2_000)
      expect(chat.received).toEqual([])
      state.outcome = "accepts"
    })
    return { advance, begin, chat, clock, make, set, store }
  })

describe("a notification that waits", () => {
  it.live.each(cases)("for %s is sent in time if the clock is set by %d hours", ([name, , step]) =>
    Effect.gen(function* () {
      const { advance, begin, chat, set } = yield* scene(name)
      yield* begin
      set(start + step)
      yield* advance(longest)
      expect(chat.received.length).toBeGreaterThan(0)
    }),
  )

  it.live.each(cases)("for %s is sent after a restart if the clock was set by %d hours", ([name, , step]) =>
    Effect.gen(function* () {
      const { advance, begin, chat, make, set, store } = yield* scene(name)
      yield* begin
      const stored = store.texts.get("delivery/chat") ?? ""
      set(start + step)
      yield* make(memory(undefined, stored).store)
      chat.received.length = 0
      yield* advance(longest)
      expect(chat.received.length).toBeGreaterThan(0)
    }),
  )

  it.live("does not wait longer the next time if the clock was ahead for a while", () =>
    Effect.gen(function* () {
      const { advance, chat, clock, make, set, store } = yield* scene("the end of quiet hours")
      const { deliver } = yield* make(store.store)
      set(start + 40 * 24 * hour)
      yield* advance(longest)
      set(start)
      yield* Effect.provideService(deliver(note("3", "opened")), Clock.Clock, clock)
      yield* advance(239_000)
      expect(chat.received).toEqual([])
      yield* advance(2_000)
      expect(chat.received).toMatchObject([{ id: "3" }])
    }),
  )
})
