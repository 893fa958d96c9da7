/** Stores the outcomes of polls, unless other runners have claimed the subscriptions since. */
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import type { Claim } from "./claims.js"
import { entries, storable, texts } from "./database.js"
import type { PollResult } from "./poll.js"
import { limitOf, type Runner } from "./runner.js"

export interface Outcome {
  readonly claim: Claim
  readonly result: PollResult
  readonly trace: string | null
  readonly wait: Duration.Duration
}

/** Whether the state is that of another filter or API version, of which no poll has succeeded. */
export const isNew = ({ isFirst, state }: PollResult): boolean => isFirst && state !== undefined

const columns =
  "id text, own uuid, new_state text, is_new boolean, problem text, skipped integer, span text, wait double precision"

/** Returns the subscriptions whose outcome is stored. The state is written only if it has changed, because it is large. */
export const write = (outcomes: ReadonlyArray<Outcome>) => {
  const records = outcomes.map(({ claim, result, trace, wait }) => ({
    id: claim.subscription,
    own: claim.token,
    new_state: result.state,
    is_new: isNew(result),
    problem: result.error && storable(result.error),
    skipped: result.invalid,
    span: trace,
    wait: Duration.toMillis(wait),
  }))
  return texts(
    (sql) => sql`WITH outcome AS MATERIALIZED (SELECT entry.* FROM ${entries(sql, records, columns)}), stored AS (
      UPDATE vigil_claims SET
        token = NULL, polled_at = now(), due_at = now() + wait * interval '1 millisecond', wait_ms = wait,
        succeeded_at = CASE WHEN problem IS NULL THEN now() WHEN is_new THEN NULL ELSE succeeded_at END,
        failures = CASE WHEN problem IS NULL THEN 0 ELSE failures + 1 END,
        error = problem, invalid = skipped, trace = span
      FROM outcome WHERE subscription = id AND token = own
      RETURNING subscription, new_state
    ), states AS (
      UPDATE vigil_subscriptions SET state = new_state
      FROM stored WHERE vigil_subscriptions.subscription = stored.subscription AND new_state IS NOT NULL
    )
    SELECT subscription AS text FROM stored`,
  )
}

/** While a batch is stored, the outcomes of the next one queue. */
const maxBatch = 64

/** Returns a function that stores an outcome, together with those of other polls, until the scope closes. */
export const batches = Effect.fnUntraced(function* (runner: Runner) {
  const queue = yield* Queue.unbounded<readonly [Outcome, Deferred.Deferred<boolean, unknown>]>()
  const storeNext = Effect.gen(function* () {
    const all = yield* Queue.takeBetween(queue, 1, maxBatch)
    // A defect fails these polls, and not the batches.
    const writing = Effect.suspend(() => write(all.map(([outcome]) => outcome)))
    const exit = yield* Effect.exit(Effect.timeout(writing, limitOf(runner)))
    for (const [{ claim }, isStored] of all)
      Deferred.doneUnsafe(
        isStored,
        Exit.map(exit, (stored) => stored.includes(claim.subscription)),
      )
  })
  yield* Effect.forkScoped(Effect.withTracerEnabled(Effect.forever(storeNext), false))
  return (outcome: Outcome) =>
    Effect.suspend(() => {
      const isStored = Deferred.makeUnsafe<boolean, unknown>()
      Queue.offerUnsafe(queue, [outcome, isStored])
      return Deferred.await(isStored)
    })
})
