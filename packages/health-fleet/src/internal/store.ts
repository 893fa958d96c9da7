/** Stores the outcomes of polls, unless other runners have claimed the subscriptions since. */
import type * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import type { Claim } from "./claims.js"
import { storable, texts } from "./database.js"
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

/**
 * Returns the subscriptions whose outcome is stored. The state is written only if it has changed, because it is large. Texts are empty instead of
 * `null`, because the driver cannot send arrays of `null` only.
 */
export const write = (outcomes: ReadonlyArray<Outcome>) =>
  texts(
    (sql) => sql`
      WITH outcome AS MATERIALIZED (
        SELECT id, own, nullif(text, '') AS new_state, is_new, nullif(reason, '') AS problem, skipped,
          nullif(parent, '') AS span, wait
        FROM unnest(
          ${outcomes.map(({ claim }) => claim.subscription)}::text[],
          ${outcomes.map(({ claim }) => claim.token)}::uuid[],
          ${outcomes.map(({ result }) => result.state ?? "")}::text[],
          ${outcomes.map(({ result }) => isNew(result))}::boolean[],
          ${outcomes.map(({ result }) => storable(result.error ?? ""))}::text[],
          ${outcomes.map(({ result }) => result.invalid)}::integer[],
          ${outcomes.map(({ trace }) => trace ?? "")}::text[],
          ${outcomes.map(({ wait }) => String(Duration.toMillis(wait)))}::double precision[]
        ) AS entry (id, own, text, is_new, reason, skipped, parent, wait)
      ), stored AS (
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

/** While a batch is stored, the outcomes of the next one queue. */
const maxBatch = 64

interface Entry {
  readonly outcome: Outcome
  readonly isStored: Deferred.Deferred<boolean, Effect.Error<ReturnType<typeof write>> | Cause.TimeoutError>
}

/** Returns a function that stores an outcome, together with those of other polls, until the scope closes. */
export const batches = Effect.fnUntraced(function* (runner: Runner) {
  const queue = yield* Queue.unbounded<Entry>()
  const storeNext = Effect.gen(function* () {
    const entries = yield* Queue.takeBetween(queue, 1, maxBatch)
    const writing = write(entries.map(({ outcome }) => outcome))
    const exit = yield* Effect.exit(Effect.timeout(writing, limitOf(runner)))
    for (const { isStored, outcome } of entries)
      Deferred.doneUnsafe(
        isStored,
        Exit.map(exit, (stored) => stored.includes(outcome.claim.subscription)),
      )
  })
  yield* Effect.forkScoped(Effect.withTracerEnabled(Effect.forever(storeNext), false))
  return (outcome: Outcome) =>
    Effect.suspend(() => {
      const isStored: Entry["isStored"] = Deferred.makeUnsafe()
      Queue.offerUnsafe(queue, { outcome, isStored })
      return Deferred.await(isStored)
    })
})
