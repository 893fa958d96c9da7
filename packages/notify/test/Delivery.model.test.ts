/** A delivery against a model of it: events of several subscriptions change, sinks fail, and the process stops at any point. */
import { describe, expect } from "@effect/vitest"
import { Notification } from "@vigil/notify"
import * as property from "@vigil/testing/property"
import * as Effect from "effect/Effect"
import { history, type SessionNotification, run } from "./deliveryHistory.js"

/** Checks the notifications of one event against the emitted ones, and returns whether the sink has it open at the end. */
const check = (
  received: ReadonlyArray<SessionNotification>,
  emitted: ReadonlyArray<SessionNotification>,
): boolean | undefined => {
  const ids = new Set<string>()
  let isOpen: boolean | undefined
  let position = 0
  for (const { notification, session } of received) {
    const { id, state, status, subscription } = notification
    const emissions = emitted.map(({ notification }) => notification.id === id && notification.subscription)
    // Only a restart repeats a notification, with the same ID.
    if (ids.has(id)) expect(session).toBeGreaterThan(emitted[emissions.findIndex(Boolean)]?.session ?? session)
    else if (state === "opened") expect(isOpen).not.toBe(true)
    position = emissions.indexOf(subscription ?? "", position)
    expect(position).toBeGreaterThanOrEqual(0)
    const wasOpen = isOpen
    if (state === "updated") isOpen ??= status === "Active"
    else isOpen = state === "opened" || state === "reopened"
    // An event that vanishes and appears again unchanged opens again with the same ID.
    if (isOpen !== wasOpen) ids.clear()
    ids.add(id)
  }
  return isOpen
}

/** Only the last accepted notification of an open event is repeated. A later dead letter may have arrived before a restart. */
const withoutRepeats = (
  received: ReadonlyArray<SessionNotification>,
  hasDeadLetter: boolean,
): ReadonlyArray<SessionNotification> =>
  received.filter(({ notification: { id, state } }, index) => {
    const earlier = received.slice(hasDeadLetter ? 0 : Math.max(0, index - 1), index)
    return Notification.isClosing(state) || earlier.every(({ notification }) => notification.id !== id)
  })

describe("a delivery to failing sinks, stopped at any point", () => {
  property.live(
    "keeps the order, opens no event twice, and ends with the state of the world",
    [history],
    ([history]) =>
      Effect.map(run(history), ({ sinks, emitted, world }) => {
        for (const { deadLetters, isRepeating, received, subscriptions } of sinks)
          for (const key of new Set(emitted.map(({ notification }) => notification.key))) {
            const isOfEvent = ({ notification }: Pick<SessionNotification, "notification">) => notification.key === key
            const ofEvent = received.filter(isOfEvent)
            const hasDeadLetter = deadLetters.some((letter) => letter.key === key)
            const isOpen = check(
              isRepeating ? withoutRepeats(ofEvent, hasDeadLetter) : ofEvent,
              emitted.filter(isOfEvent),
            )
            const entry = world.get(key)
            const isActive = entry?.status === "Active" && subscriptions.some((each) => entry.listedIn.has(each))
            const all = emitted.filter(isOfEvent).map(({ notification }) => notification)
            const routed = all.filter(({ subscription }) => subscriptions.some((each) => each === subscription))
            // Several subscriptions may end an event, with different texts. The sink gets one or more of these ends.
            const lastOpen = routed.findLast((one) => !Notification.isOver(one))
            const ends = all.slice(lastOpen && all.lastIndexOf(lastOpen)).filter(Notification.isOver)
            const expected = isActive ? [`${entry.version}`] : ends.map(({ title }) => title)
            const isLost = (lost: Notification.Notification) => lost.key === key && expected.includes(lost.title)
            if (routed.length === 0 || deadLetters.some(isLost)) continue
            // A sink is not sent an event that ends before the first opening that it is sent.
            const isClosing = ({ notification: { state } }: SessionNotification) => Notification.isClosing(state)
            const first = received.find((one) => !Notification.isOver(one.notification))?.session ?? Infinity
            const isBefore = emitted.some((one) => isOfEvent(one) && isClosing(one) && one.session <= first)
            // Nor a withdrawal of an event that it does not know.
            const isUnknown = isBefore || !routed.some(({ state }) => state === "resolved")
            if (ofEvent.length === 0 && !isActive && isUnknown) continue
            expect(expected).toContain(ofEvent.at(-1)?.notification.title)
            expect(isOpen === true).toBe(isActive)
          }
      }),
    // 10,000 histories take some minutes, but do not block the thread.
    { fastCheck: { numRuns: Number(process.env["PROPERTY_RUNS"] ?? 40), interruptAfterTimeLimit: 1_500_000 } },
  )
})
