/** Stores and sinks that tests observe and let fail. */
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import { Reason, RequestError, StatusReason } from "@vigil/core-http"
import { Delivery, type Notification, type Sink } from "@vigil/notify"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"

/** The state of a sink that has got openings before, so that it gets no summary. */
const known = '{"delivery":4,"isNew":false,"window":null,"events":[],"deadLetters":[]}'

/** A store in memory. `before` runs before each write, which is lost if it returns `false`. `initial`: the text of each sink; empty for new sinks. */
export const memory = (
  before: () => Effect.Effect<boolean, KeyValueStore.KeyValueStoreError> = () => Effect.succeed(true),
  initial = known,
) => {
  const texts = new Map<string, string>()
  const store = KeyValueStore.makeStringOnly({
    get: (key) => Effect.sync(() => texts.get(key) ?? ((key.startsWith("delivery/") && initial) || undefined)),
    set: (key, text) => Effect.map(before(), (isKept) => void (isKept && texts.set(key, text))),
    remove: (key) => Effect.sync(() => void texts.delete(key)),
    clear: Effect.sync(() => texts.clear()),
    size: Effect.sync(() => texts.size),
    keys: Effect.sync(() => Array.from(texts.keys())),
  })
  return { store, texts }
}

export const brokenLogger = Logger.make(() => {
  throw new TypeError("a defect of a logger")
})

/** A delivery to sinks that have got openings before. */
export const makeDelivery = (options: Delivery.Options) => Delivery.make({ store: memory().store, ...options })

/** What is stored for the sink `chat`, as one text. */
export const storedIn = (texts: ReadonlyMap<string, string>) => {
  const { deadLetters, events }: Readonly<Record<"deadLetters" | "events", ReadonlyArray<StoredEvent>>> = JSON.parse(
    texts.get("delivery/chat") ?? "",
  )
  return { deadLetters, events, waiting: events.filter(({ current, next }) => (current ?? next) !== undefined) }
}

interface StoredEvent {
  readonly key: string
  readonly current?: unknown
  readonly next?: unknown
}

export const storeFailure = new KeyValueStore.KeyValueStoreError({
  method: "set",
  key: "delivery",
  message: "Permission denied",
})

const fail = (reason: RequestError.RequestReason) =>
  Effect.fail(
    new RequestError.RequestError({ service: "chat", operation: "Sink.deliver", reason, maybeApplied: false }),
  )

/** What a sink does with a notification. */
const outcomes = {
  accepts: Effect.void,
  unavailable: fail(new Reason.Transport({ origin: "https://chat.example", code: "ECONNREFUSED" })),
  busy: fail(new StatusReason.RateLimited({ status: 429, retryAfter: Duration.minutes(10) })),
  refuses: fail(new StatusReason.NotFound({ status: 404 })),
  hangs: Effect.never,
  dies: Effect.die(new TypeError("a defect with a secret")),
} satisfies Readonly<Record<string, Effect.Effect<void, RequestError.RequestError>>>

export type Outcome = keyof typeof outcomes

/** A sink that records what it accepts, and all attempts, as `key:state`. */
export const recorder = (
  name: string,
  outcome: (notification: Notification.Notification) => Outcome = () => "accepts",
) => {
  const attempts: Array<string> = []
  const received: Array<Notification.Notification> = []
  const sink: Sink.Sink = {
    name,
    deliver: (notification) =>
      Effect.suspend((): Effect.Effect<void, RequestError.RequestError> => {
        attempts.push(`${notification.key}:${notification.state}`)
        const now = outcome(notification)
        if (now === "accepts") received.push(notification)
        return outcomes[now]
      }),
  }
  return { sink, attempts, received, states: () => received.map(({ key, state }) => `${key}:${state}`) }
}
