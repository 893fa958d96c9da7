/** What a runner does with its claims, as spans and metrics. */
import type * as Notification from "@vigil/notify/Notification"
import type * as Routes from "@vigil/notify/Routes"
import type { Sink } from "@vigil/notify/Sink"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import * as metrics from "./metrics.js"
import * as outbox from "./outbox.js"
import { type Options, poll as pollOnce, type PollResult } from "./poll.js"
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

const decodeId = Schema.decodeEffect(SubscriptionId.SubscriptionId)

/** The work is claimed again when this ends. */
const warn = (attempt: string) => (cause: Cause.Cause<unknown>) =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.void
    : Effect.andThen(Effect.logWarning(`The fleet could not ${attempt}.`, cause), Effect.sleep("5 seconds"))

/** Polls a claimed subscription and stores the outcome. */
export const poll = (settings: Settings, claim: subscriptions.Claim) =>
  Effect.gen(function* () {
    const store = (result: PollResult) =>
      Effect.gen(function* () {
        const isActive = result.error === undefined && (result.changes.length > 0 || claim.has_open_events)
        const outcome = {
          ...result,
          wait: wait.next(settings.period, {
            wait: Duration.millis(claim.wait_ms),
            isActive,
            random: yield* Random.next,
          }),
          trace: yield* trace.current,
        }
        const isStored = yield* subscriptions.store(settings, claim, outcome, settings.lease)
        yield* metrics.poll({ isStored, isFailed: result.error !== undefined, lag: claim.lag_seconds })
      })
    yield* decodeId(claim.subscription).pipe(
      Effect.flatMap((id) => pollOnce(id, claim.state, settings.options)),
      Effect.flatMap(store),
      // Otherwise, it would be polled again at once.
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.andThen(
              Effect.logWarning("The fleet could not store a poll.", cause),
              store({
                changes: [],
                state: undefined,
                invalid: 0,
                isFirst: false,
                error: "The outcome of the poll could not be stored.",
              }),
            ),
      ),
    )
  }).pipe(
    Effect.withSpan("Fleet.poll", {
      ...trace.linkTo(claim.trace),
      attributes: { "vigil.subscription": claim.subscription },
      root: true,
    }),
    Effect.catchCause(warn("store that a poll failed")),
  )

/** Delivers a claimed notification. */
export const deliver = (sink: Sink, entry: outbox.Entry, limit: Duration.Duration) =>
  outbox.deliver(sink, entry, limit).pipe(
    Effect.flatMap((isDelivered) => metrics.delivery(sink.name, isDelivered)),
    Effect.withSpan("Fleet.deliver", { ...trace.continueFrom(entry.trace), attributes: { "vigil.sink": sink.name } }),
    Effect.catchCause(warn("record a delivery")),
  )
