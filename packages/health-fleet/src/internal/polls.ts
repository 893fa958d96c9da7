/** The polls of a fleet: polls what was claimed, and stores what it found. */
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { Claim } from "./claims.js"
import { database, withTransaction } from "./database.js"
import { enqueue, type Settings as Enqueuing } from "./enqueue.js"
import { nothing, type Options, poll, type PollResult } from "./poll.js"
import { nextWait, type Period } from "./nextWait.js"
import { orWarn } from "./problems.js"
import { limitOf, type Runner } from "./runner.js"
import { batches, isNew, write } from "./store.js"
import * as trace from "./trace.js"

export interface Settings extends Enqueuing, Options {
  /** The time between two polls of a subscription: with open events and after a change, and after many polls without a change. */
  readonly period: Period
  /** Waits for the next request within the rate limit. */
  readonly turn: Effect.Effect<void>
}

const count = Metric.counter("vigil_fleet_polls", {
  description: "Polls by result: success, failure, or refused, because another runner has claimed the subscription.",
  incremental: true,
})

const delays = Metric.histogram("vigil_fleet_poll_delay_seconds", {
  description: "How late polls start.",
  boundaries: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 900],
})

const decodeId = Schema.decodeEffect(SubscriptionId.SubscriptionId)

/** Returns a function that polls a claimed subscription and stores the outcome, until the scope closes. */
export const make = Effect.fnUntraced(function* (settings: Settings, runner: Runner) {
  const [sql, storeInBatch, limit] = [yield* database, yield* batches(runner), limitOf(runner)]

  /** Stores the outcome of a poll, unless another runner has claimed the subscription since. */
  const store = Effect.fnUntraced(function* (claim: Claim, result: PollResult) {
    const { has_succeeded, now, subscription } = claim
    const { changes, error, isFirst } = result
    const [span, wait] = [yield* trace.current, yield* nextWait(settings.period, claim, result)]
    const outcome = { claim, result, trace: span, wait }
    const storeAll = Effect.gen(function* () {
      if ((yield* write([outcome])).length === 0) return false
      // The events of the state before, which may have another filter, no longer count: no poll of this state has succeeded or has open events.
      if (isNew(result)) yield* sql`DELETE FROM vigil_open_events WHERE subscription = ${subscription}`
      yield* enqueue(settings, { subscription, changes, isFirst: isFirst || !has_succeeded, now, trace: span })
      return true
    })
    const isSmall = changes.length === 0 && !isNew(result)
    const isStored = yield* isSmall ? storeInBatch(outcome) : withTransaction(storeAll, runner.lease)
    // A transaction that took longer committed a due time in the past.
    if (!isSmall && Duration.isLessThan(wait, limit)) runner.floor = { at: -Infinity }
    if (!isStored) yield* sql`UPDATE vigil_claims SET refused = refused + 1 WHERE subscription = ${subscription}`
    const label = isStored ? (error === undefined ? "success" : "failure") : "refused"
    yield* Metric.update(Metric.withAttributes(count, { result: label }), 1)
    yield* Metric.update(delays, claim.lag_seconds)
    return isStored
  })

  return (claim: Claim) => {
    const save = (result: PollResult) => Effect.timeout(store(claim, result), limit)
    const error = "The outcome of the poll could not be stored."
    return decodeId(claim.subscription).pipe(
      Effect.flatMap((id) => poll(id, claim.state, { ...settings, now: claim.now }, settings.turn)),
      Effect.flatMap(save),
      orWarn("store a poll", 0),
      // Otherwise, it would be polled again at once.
      Effect.filterOrElse(Predicate.isNotUndefined, () => save({ ...nothing, error })),
      Effect.withSpan("Fleet.poll", {
        links: Option.toArray(trace.parse(claim.trace)).map((span) => ({ span, attributes: {} })),
        attributes: { "vigil.subscription": claim.subscription },
        root: true,
      }),
      // It is claimed again after this.
      orWarn("store that a poll failed", "5 seconds"),
    )
  }
})
