/** Loads and saves the state of a sink as one JSON text. */
import type * as KeyValueStore from "effect/persistence/KeyValueStore"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { DeadLetter } from "../DeadLetter.js"
import { DeliveryStoreError } from "../DeliveryStoreError.js"
import { isOver, Level, Notification } from "../Notification.js"

const Pending = Schema.Struct({ notification: Notification, notBefore: Schema.Number })

/** `last`: what to repeat while the event is open, and when the sink accepted it. */
const SinkEvent = Schema.Struct({
  key: Schema.String,
  isOpen: Schema.NullOr(Schema.Boolean),
  last: Schema.optional(Schema.Struct({ notification: Notification, at: Schema.Number })),
})

export type SinkEvent = typeof SinkEvent.Type

/** The last notifications of an event with the same version: several subscriptions report it with different texts. */
const LastVersion = Schema.Struct({
  key: Schema.String,
  version: Schema.Number,
  isOver: Schema.Boolean,
  ids: Schema.Array(Schema.String),
  subscription: Schema.NullOr(Schema.String),
  updatedAt: Schema.NullOr(Schema.String),
})

export type LastVersion = typeof LastVersion.Type

/** Whether a poll of this subscription was late: another one has since ended or opened the event. */
export const isLate = (notification: Notification, last: LastVersion | undefined): boolean => {
  const { state, subscription, updatedAt } = notification
  // A withdrawal has the update time of the last list.
  if (last === undefined || state === "withdrawn" || last.subscription === subscription) return false
  if (last.isOver === isOver(notification)) return false
  return updatedAt !== null && last.updatedAt !== null && updatedAt < last.updatedAt
}

/** The subscriptions whose notifications the sink gets, and that have the event open. `level`: that of the last of these notifications. */
const OpenIn = Schema.Struct({ key: Schema.String, subscriptions: Schema.Array(Schema.String), level: Level })

export type OpenIn = typeof OpenIn.Type

const State = Schema.fromJsonString(
  Schema.Struct({
    delivery: Schema.Literal(1),
    waiting: Schema.Array(Schema.Struct({ first: Pending, second: Schema.optional(Pending) })),
    events: Schema.Array(SinkEvent),
    versions: Schema.Array(LastVersion),
    deadLetters: Schema.Array(DeadLetter),
    openIn: Schema.Array(OpenIn),
  }),
)

export type State = typeof State.Type

export const none: State = { delivery: 1, waiting: [], events: [], versions: [], deadLetters: [], openIn: [] }

const decode = Schema.decodeEffect(State)

/** Where the state of a sink is stored. */
export interface Location {
  readonly store: KeyValueStore.KeyValueStore
  readonly key: string
}

export const load = ({ key, store }: Location): Effect.Effect<State, DeliveryStoreError> =>
  Effect.mapError(
    store.get(key),
    (cause) => new DeliveryStoreError({ key, operation: "load", reason: "unavailable", cause }),
  ).pipe(
    Effect.flatMap((text) =>
      text === undefined
        ? Effect.succeed(none)
        : Effect.mapError(decode(text), () => new DeliveryStoreError({ key, operation: "load", reason: "unreadable" })),
    ),
  )

/** Not interruptible: half a write may leave the text unreadable. */
export const save = ({ key, store }: Location, text: string): Effect.Effect<void, DeliveryStoreError> =>
  Effect.mapError(
    Effect.uninterruptible(store.set(key, text)),
    (cause) => new DeliveryStoreError({ key, operation: "save", reason: "unavailable", cause }),
  )
