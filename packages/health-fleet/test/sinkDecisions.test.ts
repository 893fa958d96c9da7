/** A fleet and the delivery of one process send the same: all histories of four steps in two subscriptions are compared. */
import { expect, it } from "@effect/vitest"
import { Delivery, Notification, type Sink } from "@vigil/notify"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as decisions from "../src/internal/sinkDecisions.js"

type History = ReadonlyArray<Notification.Notification>

/** What a watch emits, by the state of the event in its subscription. */
const changes = {
  absent: ["opened Active", "resolved Resolved"],
  open: ["updated Active", "resolved Resolved", "withdrawn Active"],
  over: ["updated Resolved", "reopened Active", "withdrawn Resolved"],
}

const stateIn = (history: History, subscription: string): keyof typeof changes => {
  const last = history.findLast((one) => one.subscription === subscription)
  if (last === undefined || last.state === "withdrawn") return "absent"
  return Notification.isOver(last) ? "over" : "open"
}

const toState = Schema.decodeUnknownSync(Notification.State)

const base = Notification.fromChange({ _tag: "Appeared", event: {} })

/** Update times are before, at or after the last one. A withdrawal has the last one of its subscription. */
const next = (history: History): ReadonlyArray<Notification.Notification> =>
  (history.length === 0 ? ["s1"] : ["s1", "s2"]).flatMap((subscription) => {
    const own = history.findLast((one) => one.subscription === subscription)
    const last = Date.parse(history.at(-1)?.updatedAt ?? "2026-03-10")
    return changes[stateIn(history, subscription)].flatMap((change) => {
      const [state = "", status = ""] = change.split(" ")
      const times = history.length === 0 ? [last] : [last - 60_000, last, last + 60_000]
      const updates = times.map((time) => new Date(time).toISOString())
      return (state === "withdrawn" ? [own?.updatedAt ?? null] : updates).map((updatedAt) => {
        const id = `${subscription} ${state} ${status} ${updatedAt?.slice(11, 16)}`
        return { ...base, id, state: toState(state), status, subscription, updatedAt }
      })
    })
  })

const histories = Array.from({ length: 4 }).reduce<ReadonlyArray<History>>(
  (all) => all.flatMap((history) => next(history).map((one) => [...history, one])),
  [[]],
)

/** What a sink gets of each history from the delivery of one process: the states, and which notifications they are of. */
const fromDelivery = (histories: ReadonlyArray<History>) =>
  Effect.gen(function* () {
    const sent = histories.map((): Array<string> => [])
    const deliver: Sink.Sink["deliver"] = ({ id, key, state }) =>
      Effect.sync(() => void sent[Number(key)]?.push(`${state} (${id})`))
    const delivery = yield* Delivery.make({ sinks: [{ name: "chat", deliver, keepsEvents: true }] })
    for (const step of [0, 1, 2, 3]) {
      for (const [index, history] of histories.entries()) {
        const notification = history[step]
        if (notification !== undefined) yield* delivery.deliver({ ...notification, key: `${index}` })
      }
      yield* delivery.flush
    }
    return sent
  }).pipe(Effect.scoped)

/** The same from a fleet whose deliveries succeed at once. */
const fromFleet = (history: History): ReadonlyArray<string> => {
  const openIn = new Set<string | null>()
  const sent: Array<string> = []
  let histories: decisions.Event["histories"] = new Map()
  const sinks = [{ name: "chat", deliver: () => Effect.void }]
  const now = DateTime.makeUnsafe(0)
  for (const notification of history) {
    openIn.delete(notification.subscription)
    const poll = { isFirst: false, isOpenElsewhere: openIn.size > 0, now, routes: undefined, sinks }
    if (!Notification.isOver(notification)) openIn.add(notification.subscription)
    for (const { history, sink, waiting } of decisions.decideForSinks(
      notification,
      { histories, waiting: new Map() },
      poll,
    )) {
      histories = new Map([[sink, history]])
      sent.push(`${waiting.notification.state} (${notification.id})`)
    }
  }
  return sent
}

it.effect(
  "a fleet sends what a delivery sends, unless a subscription still lists an event that another one resolved",
  () =>
    Effect.gen(function* () {
      const different: Array<string> = []
      // A delivery remembers 1,000 events.
      for (const chunk of Arr.chunksOf(histories, 1_000)) {
        const sent = yield* fromDelivery(chunk)
        for (const [index, history] of chunk.entries())
          if (fromFleet(history).join() !== sent[index]?.join()) different.push(history.map(({ id }) => id).join(", "))
      }
      expect(histories).toHaveLength(4_728)
      expect(different).toMatchInlineSnapshot(`
        [
          "s1 opened Active 00:00, s2 resolved Resolved 00:00, s2 reopened Active 23:59, s2 withdrawn Active 23:59",
          "s1 opened Active 00:00, s2 resolved Resolved 00:00, s2 reopened Active 00:00, s2 withdrawn Active 00:00",
          "s1 opened Active 00:00, s2 resolved Resolved 00:00, s2 reopened Active 00:01, s2 withdrawn Active 00:01",
          "s1 opened Active 00:00, s2 resolved Resolved 00:01, s2 reopened Active 00:00, s2 withdrawn Active 00:00",
          "s1 opened Active 00:00, s2 resolved Resolved 00:01, s2 reopened Active 00:01, s2 withdrawn Active 00:01",
          "s1 opened Active 00:00, s2 resolved Resolved 00:01, s2 reopened Active 00:02, s2 withdrawn Active 00:02",
        ]
      `)
    }),
)
