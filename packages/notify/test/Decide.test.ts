/** What every decision keeps: a sink gets notifications of an event in any order, misses some, and gets several as one. */
import { expect } from "@effect/vitest"
import { Decide, Notification, type Routes } from "@vigil/notify"
import * as property from "@vigil/testing/property"
import * as DateTime from "effect/DateTime"
import * as FastCheck from "fast-check"
import { notification } from "./notifications.js"

const routes: ReadonlyArray<Routes.Decision> = [
  { sink: "chat", action: "deliver" },
  { sink: "chat", action: "hold", until: DateTime.makeUnsafe(60_000) },
  { sink: "chat", action: "skip" },
]

/** Only an update and a withdrawal may be of an event with any status. */
const changes = [
  { state: "opened" },
  { state: "reopened" },
  { state: "updated" },
  { state: "updated", status: "Resolved" },
  { state: "resolved", status: "Resolved" },
  { state: "withdrawn" },
  { state: "withdrawn", status: "Resolved" },
] as const

/** A notification, followed by an attempt to send what waits, unless its result is `waits`. */
const step = FastCheck.record({
  fields: FastCheck.record({
    id: FastCheck.constantFrom("1", "2", "3", "4"),
    change: FastCheck.constantFrom(...changes),
    subscription: FastCheck.constantFrom("s1", "s2"),
    updatedAt: FastCheck.constantFrom(null, "2026-03-10T12:00:00.000Z", "2026-03-10T12:01:00.000Z"),
  }),
  route: FastCheck.constantFrom(...routes),
  isOpenElsewhere: FastCheck.boolean(),
  isFirst: FastCheck.boolean(),
  result: FastCheck.constantFrom("received", "missed", "waits"),
})

const isOpening = ({ state }: Notification.Notification) => state === "opened" || state === "reopened"

// 10,000 runs are 300,000 decisions.
property.sync(
  "a decision opens no open event, ends no closed one, repeats nothing, and keeps what waits",
  [FastCheck.array(step, { minLength: 30, maxLength: 30 })],
  ([steps]) => {
    let history: Decide.History = { shown: "unknown" }
    let waiting: Decide.Waiting | undefined
    // The sink may have got what it did not accept.
    let isOpen: ReadonlyArray<boolean> = [false]
    for (const { fields, isFirst, isOpenElsewhere, result, route } of steps) {
      const { change, ...others } = fields
      const incoming = notification({ ...others, ...change })
      const shown = waiting === undefined ? history.shown : Decide.received(waiting.notification)
      const decide = () => Decide.decide({ history, waiting, isOpenElsewhere, isFirst }, incoming, route, 1)
      const decision = decide()
      if (decision.action !== "drop") {
        const { last, waiting: next } = decision
        expect(decision.action).toBe(waiting === undefined ? "send" : "join")
        if (next.notification.state === "opened") expect(history.shown).toBe("unknown")
        if (isOpening(next.notification)) expect(history.shown).not.toBe("open")
        if (next.notification.state === "updated")
          expect(Notification.isOver(next.notification) ? ["closed", "unknown"] : ["open"]).toContain(history.shown)
        if (incoming.state === "withdrawn") expect(["open", "unsure"]).toContain(shown)
        if (incoming.state === "withdrawn") expect(isOpenElsewhere).toBe(false)
        if (route.action === "skip") expect(waiting && Notification.isClosing(next.notification.state)).toBe(true)
        expect(Decide.received(next.notification)).toBe(Notification.isOver(incoming) ? "closed" : "open")
        expect(Decide.adapt(history.shown, next.notification)).toBe(next.notification)
        expect(next.notBefore).toBeLessThanOrEqual(waiting?.notBefore ?? Infinity)
        ;[history, waiting] = [{ ...history, last }, next]
        expect(decide().action).toBe("drop")
      }
      if (waiting === undefined || result === "waits") continue
      const sent: Notification.Notification = waiting.notification
      const next = result === "received" ? Decide.received(sent) : Decide.missed(history.shown, sent)
      isOpen = [...(result === "received" ? [] : isOpen), !Notification.isOver(sent)]
      if (next !== "unsure") expect(new Set(isOpen)).toEqual(new Set([next === "open"]))
      ;[history, waiting] = [{ ...history, shown: next }, undefined]
    }
  },
)
