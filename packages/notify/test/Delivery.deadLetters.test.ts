/** Dead letters: sent again, and listed by a paused delivery. */
import { describe, expect, it } from "@effect/vitest"
import { type Notification } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { makeDelivery, memory, type Outcome, recorder, storedIn } from "./deliveries.js"
import { note } from "./notifications.js"

/** A sink that refuses at first, and its delivery. */
const start = Effect.gen(function* () {
  const sink: { outcome: Outcome } = { outcome: "refuses" }
  const chat = recorder("chat", () => sink.outcome)
  const { store, texts } = memory()
  const delivery = yield* makeDelivery({ sinks: [chat.sink], store })
  /** The IDs of the dead letters. */
  const ids = Effect.map(delivery.deadLetters, (letters) => letters.map(({ notification }) => notification.id))
  const send = (...notifications: ReadonlyArray<Notification.Notification>) =>
    Effect.forEach(notifications, (one) => Effect.andThen(delivery.deliver(one), delivery.flush), { discard: true })
  const resend = Effect.gen(function* () {
    const sent = yield* delivery.resendDeadLetters("chat", yield* ids)
    yield* delivery.flush
    return sent
  })
  return { sink, chat, store, texts, delivery, ids, send, resend }
})

describe("a dead letter that is sent again", () => {
  it.effect("arrives unchanged, unless a later one of its event was sent: an older state would be wrong", () =>
    Effect.gen(function* () {
      const scene = yield* start
      yield* scene.send(note("1", "opened"), note("2", "opened", { key: "b" }), note("3", "opened", { key: "c" }))
      scene.sink.outcome = "accepts"
      yield* scene.send(note("4", "resolved"))
      expect(yield* scene.resend).toEqual(["3", "2"])
      yield* scene.send(note("5", "updated", { key: "b" }))
      expect(scene.chat.states()).toEqual(["ab12:resolved", "c:opened", "b:opened", "b:updated"])
      expect(yield* scene.ids).toEqual(["1"])
      expect(storedIn(scene.texts)).toMatchObject({ deadLetters: [{}], waiting: [] })
    }),
  )

  it.effect("is not sent if a later notification of its event waits", () =>
    Effect.gen(function* () {
      const scene = yield* start
      yield* scene.send(note("1", "opened"))
      scene.sink.outcome = "unavailable"
      yield* scene.send(note("2", "resolved", { status: "Resolved" }))
      yield* scene.resend
      expect(yield* scene.ids).toEqual(["1"])
      scene.sink.outcome = "accepts"
      yield* TestClock.adjust("10 minutes")
      expect(scene.chat.states()).toEqual(["ab12:resolved"])
    }),
  )

  it.effect("is a dead letter again if the sink refuses it, and waits if the sink fails", () =>
    Effect.gen(function* () {
      const scene = yield* start
      yield* scene.send(note("1", "opened"))
      yield* scene.resend
      expect(yield* scene.ids).toEqual(["1"])
      scene.sink.outcome = "unavailable"
      yield* scene.resend
      expect(yield* scene.ids).toEqual([])
      expect(yield* scene.delivery.status).toMatchObject([{ pending: 1, retrying: 1, deadLettered: 2 }])
      scene.sink.outcome = "accepts"
      yield* TestClock.adjust("10 minutes")
      expect(scene.chat.states()).toEqual(["ab12:opened"])
    }),
  )
})

describe("a paused delivery", () => {
  it.effect("lists and removes dead letters, and does not send waiting notifications", () =>
    Effect.gen(function* () {
      const scene = yield* start
      yield* scene.send(note("1", "opened"))
      scene.sink.outcome = "unavailable"
      yield* scene.send(note("2", "opened", { key: "b" }))
      const before = scene.chat.attempts.length
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { deadLetters, flush, removeDeadLetters } = yield* makeDelivery({
            sinks: [scene.chat.sink],
            store: scene.store,
            paused: true,
          })
          yield* flush
          expect(yield* deadLetters).toMatchObject([{ sink: "chat", reason: "refused", notification: { id: "1" } }])
          yield* removeDeadLetters("chat", ["1"])
        }),
      )
      expect(scene.chat.attempts).toHaveLength(before)
      expect(storedIn(scene.texts)).toMatchObject({ deadLetters: [], waiting: [{}] })
    }),
  )
})
