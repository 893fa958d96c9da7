/** A delivery against a model of it: events change, sinks fail, and the process stops at any point. */
import { describe, expect, it } from "@effect/vitest"
import type { Notification } from "@vigil/notify"
import * as Effect from "effect/Effect"
import { history, type Received, run } from "./deliveryHistory.js"
import { versionOf } from "./deliveryWorld.js"

/** Checks the notifications of one event, and returns whether the sink has it open at the end. */
const check = (received: ReadonlyArray<Received>): boolean | undefined => {
  const sessions = new Map<string, number>()
  let isOpen: boolean | undefined
  let version = 0
  for (const { notification, session } of received) {
    const { id, state, status } = notification
    // Only a restart repeats a notification, with the same ID.
    const repeated = sessions.get(id)
    if (repeated !== undefined) expect(session).toBeGreaterThan(repeated)
    else if (state === "opened") expect(isOpen).not.toBe(true)
    sessions.set(id, session)
    expect(versionOf(notification)).toBeGreaterThanOrEqual(version)
    version = versionOf(notification)
    if (state === "updated") isOpen ??= status === "Active"
    else isOpen = state === "opened" || state === "reopened"
  }
  return isOpen
}

describe("a delivery to failing sinks, stopped at any point", () => {
  it.live.prop("keeps the order, opens no event twice, and ends with the state of the world", [history], ([history]) =>
    Effect.map(run(history), ({ sinks, emitted, world }) => {
      for (const { deadLetters, received } of sinks)
        for (const [key, last] of emitted) {
          const ofEvent = received.filter(({ notification }) => notification.key === key)
          const isOpen = check(ofEvent)
          const isLost = (lost: Notification.Notification) => lost.key === key && versionOf(lost) === versionOf(last)
          if (deadLetters.some(isLost)) continue
          expect(ofEvent.at(-1)?.notification.title).toBe(last.title)
          expect(isOpen).toBe(world.get(key)?.status === "Active")
        }
    }),
  )
})
