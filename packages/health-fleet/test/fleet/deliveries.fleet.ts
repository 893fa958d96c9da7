import { describe, expect, it } from "@effect/vitest"
import { DeadLetters, Status, Subscriptions } from "@vigil/health-fleet"
import { Routes } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Fiber from "effect/Fiber"
import { eventually, ground, recorder } from "./ground.js"

const parse = (document: string) => Result.getOrThrow(Routes.parse(document))

/** Routes with one route to the recorder. */
const toRecorder = (route: string) =>
  parse(`{ sinks: { recorder: { type: slack, url: { env: URL } } }, routes: [{ to: recorder, ${route} }] }`)

/** Quiet hours that began an hour ago. */
const quietNow = (): string => {
  const [from, to] = [-1, 2].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16))
  return `{ from: "${from}", to: "${to}", timeZone: UTC }`
}

describe("the deliveries of a fleet", () => {
  it.live("open an event of several subscriptions once, and withdraw it after the last one lost it", () =>
    Effect.gen(function* () {
      const { put, remove, start, subscriptions, withDatabase } = yield* ground({ subscriptions: 3 })
      // All objects have a property of this name.
      const { has, sink, states } = recorder(undefined, "constructor")
      yield* put("SHARED", subscriptions)
      yield* start({ sinks: [sink] })
      const isOpenIn = (count: number) =>
        Effect.map(
          withDatabase(Status.subscriptions),
          (all) => all.filter((one) => one.openEvents === 1).length === count,
        )
      yield* eventually(isOpenIn(3))
      yield* put("SHARED", subscriptions.slice(0, 2))
      yield* eventually(isOpenIn(2))
      yield* has(1)
      yield* remove("SHARED")
      yield* has(2)
      expect(states()).toEqual(["shared:opened", "shared:withdrawn"])
    }),
  )

  it.live("are retried while a sink is unavailable, and later ones joined, without delaying other sinks", () =>
    Effect.gen(function* () {
      const { put, start, subscriptions } = yield* ground()
      let isDown = true
      const down = recorder(() => (isDown ? "unavailable" : "accepts"), "down")
      const up = recorder(undefined, "up")
      yield* put("E", subscriptions, { minutesAgo: 3 })
      yield* start({ sinks: [down.sink, up.sink] })
      yield* up.has(1)
      yield* eventually(Effect.sync(() => down.attempts() > 0))
      yield* put("E", subscriptions, { minutesAgo: 2, summary: "Update" })
      yield* up.has(2)
      yield* put("E", subscriptions, { status: "Resolved", minutesAgo: 1, summary: "End" })
      yield* up.has(3)
      expect(up.states()).toEqual(["e:opened", "e:updated", "e:resolved"])
      expect(down.states()).toEqual([])
      isDown = false
      yield* down.has(2)
      expect(down.states()).toEqual(["e:opened", "e:resolved"])
      expect(down.received[1]?.text).toBe("Update\n\nEnd")
    }),
  )

  it.live("become dead letters if a sink refuses them or has a defect, and can be resent", () =>
    Effect.gen(function* () {
      const { put, start, subscriptions, withDatabase } = yield* ground()
      let isPoison = true
      const poison = recorder(({ key }) =>
        !isPoison || key === "good" ? "accepts" : key === "bad" ? "refuses" : "dies",
      )
      for (const name of ["GOOD", "BAD", "WORSE"]) yield* put(name, subscriptions)
      yield* start({ sinks: [poison.sink] })
      const sinks = Effect.map(withDatabase(Status.status), ({ sinks }) => sinks)
      yield* eventually(Effect.map(sinks, ([sink]) => sink?.deadLetters === 2 && sink.pending === 0))
      expect(poison.states()).toEqual(["good:opened"])
      expect(poison.attempts()).toBe(3)
      const dead = yield* withDatabase(DeadLetters.list)
      expect(dead.map(({ error }) => error).toSorted()).toMatchInlineSnapshot(`
        [
          "Sink.deliver: the chat service sent an invalid response: the body is invalid. Check the URL.",
          "The sink recorder has a defect: TypeError.",
        ]
      `)
      isPoison = false
      const ids = dead.map(({ id }) => id)
      expect(yield* withDatabase(DeadLetters.resend(ids))).toEqual(ids)
      yield* poison.has(3)
      expect(yield* withDatabase(DeadLetters.list)).toEqual([])
    }),
  )

  it.live("combine the updates of a grouping period, which starts with the first update", () =>
    Effect.gen(function* () {
      const { put, sql, start, subscriptions } = yield* ground()
      const routes = toRecorder("groupFor: 1 hour")
      const { has, sink, states } = recorder()
      yield* put("E", subscriptions, { minutesAgo: 3 })
      yield* start({ sinks: [sink], routes })
      yield* has(1)
      const rows = sql<{ notification: string; due_at: Date }>`SELECT notification, due_at FROM vigil_outbox`
      const rowWith = (text: string) =>
        eventually(rows, ([row]) => row?.notification.includes(text) === true).pipe(Effect.map(([row]) => row))
      yield* put("E", subscriptions, { minutesAgo: 2, summary: "One" })
      const first = yield* rowWith("One")
      yield* put("E", subscriptions, { minutesAgo: 1, summary: "Two" })
      const second = yield* rowWith("Two")
      const { state, text } = JSON.parse(second?.notification ?? "")
      expect({ state, text }).toEqual({ state: "updated", text: "One\n\nTwo" })
      expect(second?.due_at).toEqual(first?.due_at)
      expect(yield* rows).toHaveLength(1)
      yield* put("E", subscriptions, { status: "Resolved", summary: "Two" })
      yield* has(2)
      expect(states()).toEqual(["e:opened", "e:resolved"])
    }),
  )

  it.live("are not resent if a later notification of the same event was delivered", () =>
    Effect.gen(function* () {
      const { put, start, subscriptions, withDatabase } = yield* ground()
      const { has, sink, states } = recorder(({ key, state }) =>
        key === "e" && state === "opened" ? "refuses" : "accepts",
      )
      yield* put("E", subscriptions, { minutesAgo: 2 })
      yield* start({ sinks: [sink] })
      const [letter] = yield* eventually(withDatabase(DeadLetters.list), ({ length }) => length === 1)
      yield* put("E", subscriptions, { status: "Resolved", minutesAgo: 1 })
      yield* has(1)
      expect(yield* withDatabase(DeadLetters.resend([letter?.id ?? ""]))).toEqual([])
      expect(yield* withDatabase(DeadLetters.list)).toEqual([letter])
      expect(states()).toEqual(["e:resolved"])
    }),
  )

  it.live("include an incident that starts and ends between two polls, but none from before the first poll", () =>
    Effect.gen(function* () {
      const { put, remove, start, subscriptions, withDatabase } = yield* ground()
      const { has, sink, states } = recorder()
      yield* put("BEFORE", subscriptions, { status: "Resolved", minutesAgo: 1 })
      yield* start({ sinks: [sink] })
      yield* eventually(withDatabase(Status.subscriptions), (all) => all.every((one) => one.succeededAt !== null))
      yield* remove("BEFORE")
      yield* put("SHORT", subscriptions, { status: "Resolved" })
      yield* has(1)
      yield* put("OPEN", subscriptions)
      yield* has(2)
      expect(states()).toEqual(["short:resolved", "open:opened"])
    }),
  )

  it.live("end an event if a sink refused its resolution, and the routes skip the end of a reopening on hold", () =>
    Effect.gen(function* () {
      const { put, start, subscriptions, withDatabase } = yield* ground()
      const { has, sink, states } = recorder(({ state }, attempts) =>
        state === "resolved" && attempts === 2 ? "refuses" : "accepts",
      )
      const routes = toRecorder(`match: { status: Active }, quietHours: ${quietNow()}`)
      yield* put("E", subscriptions, { minutesAgo: 4 })
      const first = yield* start({ sinks: [sink] })
      yield* has(1)
      yield* put("E", subscriptions, { status: "Resolved", minutesAgo: 3 })
      const [letter] = yield* eventually(withDatabase(DeadLetters.list), ({ length }) => length === 1)
      yield* Fiber.interrupt(first)
      yield* start({ sinks: [sink], routes })
      const pending = Effect.map(withDatabase(Status.status), ({ sinks }) => sinks[0]?.pending)
      yield* put("E", subscriptions, { minutesAgo: 2 })
      yield* eventually(pending, (count) => count === 1)
      yield* put("E", subscriptions, { status: "Resolved", minutesAgo: 1 })
      yield* has(2)
      expect(states()).toEqual(["e:opened", "e:resolved"])
      expect(yield* withDatabase(DeadLetters.resend([letter?.id ?? ""]))).toEqual([])
    }),
  )

  it.live("open an event again if a sink refused its opening, also those that waited for it", () =>
    Effect.gen(function* () {
      const { put, start, subscriptions, withDatabase } = yield* ground()
      let outcome: "unavailable" | "refuses" = "refuses"
      const { attempts, has, sink, states } = recorder(({ key, state }) =>
        state === "opened" ? (key === "e" ? "refuses" : outcome) : "accepts",
      )
      const letters = (count: number) => eventually(withDatabase(DeadLetters.list), ({ length }) => length === count)
      yield* put("E", subscriptions, { minutesAgo: 2 })
      yield* start({ sinks: [sink] })
      yield* letters(1)
      yield* put("E", subscriptions, { minutesAgo: 1 })
      yield* has(1)
      outcome = "unavailable"
      yield* put("F", subscriptions, { minutesAgo: 2 })
      yield* eventually(Effect.sync(() => attempts() >= 3))
      yield* put("F", subscriptions, { minutesAgo: 1 })
      const pending = Effect.map(withDatabase(Status.status), ({ sinks }) => sinks[0]?.pending)
      yield* eventually(pending, (count) => count === 2)
      outcome = "refuses"
      yield* has(2)
      expect(states()).toEqual(["e:reopened", "f:reopened"])
    }),
  )

  it.live("update an open event if another subscription reopens it later", () =>
    Effect.gen(function* () {
      const { put, start, subscriptions, withDatabase } = yield* ground()
      const { has, sink, states } = recorder()
      const [first, second] = subscriptions.map((id) => [id])
      const allPolled = Effect.suspend(() => {
        const now = new Date()
        const all = withDatabase(Status.subscriptions)
        return eventually(all, (some) => some.every(({ succeededAt }) => succeededAt !== null && succeededAt > now))
      })
      yield* put("E", subscriptions, { minutesAgo: 4 })
      yield* start({ sinks: [sink] })
      yield* allPolled
      yield* has(1)
      yield* put("E", subscriptions, { status: "Resolved", minutesAgo: 3 })
      yield* allPolled
      yield* has(2)
      yield* withDatabase(Subscriptions.pause(second ?? []))
      yield* put("E", subscriptions, { minutesAgo: 2 })
      yield* has(3)
      yield* withDatabase(Subscriptions.pause(first ?? []))
      yield* put("E", subscriptions, { minutesAgo: 1 })
      yield* withDatabase(Subscriptions.resume(second ?? []))
      yield* has(4)
      expect(states()).toEqual(["e:opened", "e:resolved", "e:reopened", "e:updated"])
    }),
  )

  it.live("follow routes, and wait in quiet hours until a later notification replaces them", () =>
    Effect.gen(function* () {
      const { put, start, subscriptions, withDatabase } = yield* ground()
      const [first, second] = subscriptions
      const routes = parse(`
        sinks:
          night: { type: slack, url: { env: URL } }
          one: { type: slack, url: { env: URL } }
        routes:
          - { to: night, quietHours: ${quietNow()} }
          - { to: one, match: { subscription: ${first} } }`)
      const night = recorder(undefined, "night")
      const one = recorder(undefined, "one")
      yield* put("FIRST", [first ?? ""], { minutesAgo: 2 })
      yield* put("SECOND", [second ?? ""], { minutesAgo: 2 })
      yield* start({ sinks: [night.sink, one.sink], routes })
      const pending = Effect.map(withDatabase(Status.status), ({ sinks }) => sinks.map(({ pending }) => pending))
      const nightWaits = eventually(pending, (counts) => counts.join() === "2")
      yield* nightWaits
      expect(one.states()).toEqual(["first:opened"])
      yield* put("FIRST", [first ?? ""], { status: "Resolved", minutesAgo: 1 })
      yield* one.has(2)
      expect(one.states()).toEqual(["first:opened", "first:resolved"])
      yield* nightWaits
      expect(night.states()).toEqual([])
    }),
  )

  it.live("have new IDs when an event disappears and returns unchanged", () =>
    Effect.gen(function* () {
      const { put, remove, start, subscriptions } = yield* ground()
      const { has, received, sink, states } = recorder()
      yield* start({ sinks: [sink] })
      const show = put("E", subscriptions.slice(0, 1), { minutesAgo: 1 })
      for (const [index, change] of [show, remove("E"), show, remove("E")].entries())
        yield* Effect.andThen(change, has(index + 1))
      expect(states()).toEqual(["e:opened", "e:withdrawn", "e:reopened", "e:withdrawn"])
      expect(new Set(received.map(({ id }) => id)).size).toBe(4)
    }),
  )

  it.live("lose no change that cannot be stored, and wait for the next poll", () =>
    Effect.gen(function* () {
      const { put, sql, start, subscriptions, withDatabase } = yield* ground()
      const { has, sink } = recorder()
      yield* sql`ALTER TABLE vigil_outbox ADD CONSTRAINT refused CHECK (notification NOT LIKE '%Refused%')`
      yield* put("E", subscriptions.slice(0, 1), { title: "Refused" })
      yield* start({ sinks: [sink], minPeriod: "2 seconds", maxPeriod: "2 seconds" })
      const status = yield* eventually(withDatabase(Status.status), ({ failing }) => failing === 1)
      expect(status).toMatchObject({ late: 0, refused: 0, sinks: [] })
      const errors = (yield* withDatabase(Status.subscriptions)).map(({ error }) => error)
      expect(errors).toContain("The outcome of the poll could not be stored.")
      yield* sql`ALTER TABLE vigil_outbox DROP CONSTRAINT refused`
      yield* has(1)
    }),
  )
})
