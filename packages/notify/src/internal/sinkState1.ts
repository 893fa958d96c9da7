/** The state of a sink that release 0.1 stored. */
import * as Schema from "effect/Schema"
import { DeadLetter } from "../DeadLetter.js"
import type * as Decide from "../Decide.js"
import { Level, Notification } from "../Notification.js"
import type * as sinkState from "./sinkState.js"

const Pending = Schema.Struct({ notification: Notification, notBefore: Schema.Number })

export const Stored = Schema.Struct({
  delivery: Schema.Literal(1),
  /** `second`: only if the first one may have been sent. */
  waiting: Schema.Array(Schema.Struct({ first: Pending, second: Schema.optional(Pending) })),
  /** `isOpen`: `null` if the sink may have missed a notification. `last`: what to repeat, and when the sink accepted it. */
  events: Schema.Array(
    Schema.Struct({
      key: Schema.String,
      isOpen: Schema.NullOr(Schema.Boolean),
      last: Schema.optional(Schema.Struct({ notification: Notification, at: Schema.Number })),
    }),
  ),
  versions: Schema.Array(
    Schema.Struct({
      key: Schema.String,
      isOver: Schema.Boolean,
      ids: Schema.Array(Schema.String),
      subscription: Schema.NullOr(Schema.String),
      updatedAt: Schema.NullOr(Schema.String),
    }),
  ),
  deadLetters: Schema.Array(DeadLetter),
  openIn: Schema.Array(Schema.Struct({ key: Schema.String, subscriptions: Schema.Array(Schema.String), level: Level })),
})

const shownOf = (isOpen: boolean | null): Decide.Shown => {
  if (isOpen === null) return "unsure"
  return isOpen ? "open" : "closed"
}

const byKey = <A extends { readonly key: string }>(all: ReadonlyArray<A>) => new Map(all.map((one) => [one.key, one]))

/** Nothing that waits is lost, and no event opens twice. */
export const upgrade = (stored: typeof Stored.Type): typeof sinkState.Stored.Type => {
  const [events, versions, openIn] = [byKey(stored.events), byKey(stored.versions), byKey(stored.openIn)]
  const waiting = byKey(stored.waiting.map((one) => ({ key: one.first.notification.key, ...one })))
  const keys = new Set([...events.keys(), ...versions.keys(), ...openIn.keys(), ...waiting.keys()])
  const eventOf = (key: string): (typeof sinkState.Stored.Type)["events"][number] => {
    const [event, version, open, queue] = [events.get(key), versions.get(key), openIn.get(key), waiting.get(key)]
    const level = (queue?.second ?? queue?.first)?.notification.level ?? open?.level ?? event?.last?.notification.level
    const id = version?.ids.at(-1)
    return {
      key,
      shown: event === undefined ? "unknown" : shownOf(event.isOpen),
      openIn: open?.subscriptions ?? [],
      ...(version &&
        id !== undefined && {
          last: {
            id,
            isOver: version.isOver,
            level: level ?? "Critical",
            subscription: version.subscription,
            updatedAt: version.updatedAt,
          },
        }),
      ...(event?.last && { accepted: event.last }),
      ...(queue && (queue.second ? { current: queue.first.notification, next: queue.second } : { next: queue.first })),
    }
  }
  return {
    delivery: 4,
    // A sink that is new gets a summary. This one got openings.
    isNew: keys.size === 0,
    window: null,
    events: Array.from(keys, eventOf),
    deadLetters: stored.deadLetters,
  }
}
