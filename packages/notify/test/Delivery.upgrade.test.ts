/** What release 0.1 stored for a sink. */
import { expect, it } from "@effect/vitest"
import { Delivery, type Notification } from "@vigil/notify"
import * as Effect from "effect/Effect"
import { memory, recorder } from "./deliveries.js"
import { note } from "./notifications.js"

const version = (key: string, id: string, fields: object = {}) => ({
  key,
  version: 1,
  isOver: false,
  ids: [id],
  subscription: "s1",
  updatedAt: "2026-03-10T12:00:00Z",
  ...fields,
})

const now = (id: string, state: Notification.State, key: string, fields: object = {}) => ({
  notification: note(id, state, { key, ...fields }),
  notBefore: 0,
})

const stored = {
  delivery: 1,
  waiting: [
    { first: now("1", "opened", "new") },
    { first: now("2", "updated", "open"), second: now("3", "resolved", "open", { status: "Resolved" }) },
  ],
  events: [
    { key: "open", isOpen: true, last: { notification: note("0", "opened", { key: "open" }), at: 0 } },
    { key: "over", isOpen: false },
    { key: "unsure", isOpen: null },
  ],
  versions: [version("new", "1"), version("open", "3", { isOver: true }), version("over", "4", { isOver: true })],
  deadLetters: [
    {
      sink: "chat",
      reason: "refused",
      detail: "No.",
      at: "2026-03-10T12:00:00Z",
      notification: note("5", "opened", { key: "lost" }),
    },
  ],
  openIn: [{ key: "open", subscriptions: ["s1"], level: "Warning" }],
}

it.effect("what waits is sent, no event opens twice, and dead letters are kept", () =>
  Effect.gen(function* () {
    const { store } = memory(undefined, JSON.stringify(stored))
    const chat = recorder("chat")
    const { deadLetters, deliver, flush } = yield* Delivery.make({ sinks: [chat.sink], store })
    yield* flush
    expect(chat.states().toSorted()).toEqual(["new:opened", "open:resolved"])
    expect((yield* deadLetters).map(({ notification: { id } }) => id)).toEqual(["5"])
    chat.received.length = 0
    // The last one of each event is known.
    yield* deliver(note("4", "resolved", { key: "over", status: "Resolved" }))
    yield* deliver(note("6", "opened", { key: "over" }))
    yield* deliver(note("7", "updated", { key: "unsure" }))
    yield* flush
    expect(chat.states().toSorted()).toEqual(["over:reopened", "unsure:reopened"])
  }),
)
