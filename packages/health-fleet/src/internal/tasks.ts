/** What a runner does with its claims, as spans and metrics. */
import type * as Notification from "@vigil/notify/Notification"
import type * as Routes from "@vigil/notify/Routes"
import type { Sink } from "@vigil/notify/Sink"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import * as metrics from "./metrics.js"
import * as outbox from "./outbox.js"
import { type Options, poll as pollOnce } from "./poll.js"
import * as subscriptions from "./subscriptions.js"
import * as trace from "./trace.js"
import * as wait from "./wait.js"

export interface Settings {
  readonly sinks: ReadonlyArray<Sink>
  readonly routes: Routes.Routes | undefined
  readonly link: Notification.Options["link"]
  readonly period: wait.Period
  readonly lease: Duration.Duration
  readonly options: Options
}

const decodeId = Schema.decode(SubscriptionId.SubscriptionId)

/** A failure to store is a warning: the claim ends with the runner, or when the runner finds that it does not work on it. */
const warn = (attempt: string) => (cause: unknown) => Effect.logWarning(`The fleet could not ${attempt}.`, cause)

/** Polls a claimed subscription and stores the outcome. */
export const poll = (settings: Settings, claim: subscriptions.Claim) =>
  Effect.gen(function* () {
    const id = yield* decodeId(claim.subscription)
    const { changes, error, state } = yield* pollOnce(id, claim.state, settings.options)
    const isActive = changes.length > 0 || claim.has_open_events
    const outcome: subscriptions.Outcome = {
      changes,
      state,
      error: error === undefined ? null : error.message,
      wait: wait.next(settings.period, {
        wait: Duration.millis(claim.wait_ms),
        isActive: isActive && error === undefined,
        random: yield* Random.next,
      }),
      trace: yield* trace.current,
    }
    const isStored = yield* subscriptions.store(settings, claim, outcome).pipe(
      Effect.tapErrorCause(warn("store a poll")),
      // Otherwise a change that cannot be stored would be polled again at once.
      Effect.catchAll(({ message }) =>
        subscriptions.store(settings, claim, { ...outcome, changes: [], state: undefined, error: message }),
      ),
    )
    yield* metrics.poll({ isStored, isFailed: error !== undefined, lag: claim.lag_seconds })
  }).pipe(
    Effect.withSpan("Fleet.poll", {
      ...trace.linked(claim.trace),
      attributes: { "vigil.subscription": claim.subscription },
      root: true,
    }),
    Effect.catchAllCause(warn("store a poll")),
  )

/** Delivers a claimed notification. */
export const deliver = (sink: Sink, entry: outbox.Entry) =>
  outbox.deliver(sink, entry).pipe(
    Effect.flatMap((isDelivered) => metrics.delivery(sink.name, isDelivered)),
    Effect.withSpan("Fleet.deliver", { ...trace.after(entry.trace), attributes: { "vigil.sink": sink.name } }),
    Effect.catchAllCause(warn("record a delivery")),
  )
