/** `compare_since`: what changed since an earlier call. */
import { HealthClient } from "@vigil/health-client/HealthClient"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Watch from "@vigil/health-client/Watch"
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Answer from "./Answer.js"
import * as Query from "./Query.js"
import * as Row from "./Row.js"

export const parameters = Schema.Struct({
  subscriptions: Query.fields.subscriptions,
  days: Query.fields.days,
  cursor: Schema.optionalKey(Schema.String.annotate({ description: "Of the last result; omit it at first" })),
})

const Change = Schema.Struct({ change: Schema.String, subscription: Schema.String, ...Row.Brief.fields })

export const success = Schema.Struct({
  invalidEntries: Schema.Finite,
  failed: Query.failed,
  entries: Schema.Array(Change),
  remaining: Schema.Finite,
  cursor: Schema.String,
})

type State = Watch.State<ApiVersion>

/** The events that a cursor stands for, and the changes that did not fit. */
interface Known {
  readonly days: number
  readonly states: ReadonlyMap<SubscriptionId, State | undefined>
  readonly invalid: number
  readonly failed: typeof Query.failed.Type
  readonly pending: ReadonlyArray<typeof Change.Type>
}

const poll = Effect.fnUntraced(function* (
  subscription: SubscriptionId,
  days: number,
  known: State | undefined,
  apiVersion: ApiVersion | undefined,
) {
  const { pagesBySubscription } = yield* HealthClient
  const now = yield* DateTime.now
  const state = known ?? Watch.empty<ApiVersion>(subscription, { apiVersion, now })
  const options = { now, lookback: Duration.days(days), baseline: "skip" } as const
  const read = Stream.runCollect(
    pagesBySubscription(subscription, { apiVersion, queryStartTime: Watch.since(state, options) }),
  )
  const pages = yield* read
  const { changes, state: next } = yield* Watch.advance(state, pages, read, options)
  return { changes, invalid: Query.countInvalid(pages), state: Watch.handled(next, new Set(next.pending)) }
})

export const make = ({ apiVersion, budget, ...options }: Query.Options) => {
  const memory = Answer.memory<Known>()

  /** A subscription that fails keeps its state, so that the next call compares with it. */
  const advance = Effect.fnUntraced(function* ({ days, states }: Pick<Known, "days" | "states">) {
    const polls = yield* Effect.forEach(
      states,
      ([id, state]) =>
        Effect.map(Effect.result(poll(id, days, state, apiVersion)), (result) => ({ id, state, result })),
      { concurrency: 8 },
    )
    const problems = polls.flatMap(({ id, result }): ReadonlyArray<Query.Problem> =>
      Result.isFailure(result) ? [[id, Query.toolError(result.failure).message]] : [],
    )
    yield* Query.failIfAll(problems, polls.length)
    const succeeded = polls.flatMap(({ id, result }) => (Result.isSuccess(result) ? [{ id, ...result.success }] : []))
    return {
      days,
      states: new Map(
        polls.map(({ id, result, state }) => [id, Result.isSuccess(result) ? result.success.state : state]),
      ),
      invalid: succeeded.reduce((sum, { invalid }) => sum + invalid, 0),
      failed: Query.toFailed(problems),
      pending: succeeded.flatMap(({ changes, id }) =>
        changes.map(({ _tag, event }) => ({
          change: _tag.toLowerCase(),
          subscription: id as string,
          ...Row.toBrief({ event, subscriptions: [id] }),
        })),
      ),
    } satisfies Known
  })

  return Effect.fnUntraced(function* ({ cursor, days = 3, ...given }: typeof parameters.Type) {
    const before =
      cursor === undefined
        ? { days, states: new Map((yield* Query.scope(given, options)).map((id) => [id, undefined])), pending: [] }
        : yield* memory.get(cursor)
    const known = "failed" in before && before.pending.length > 0 ? before : yield* advance(before)
    const { failed, invalid, pending } = known
    const head = { invalidEntries: invalid, failed }
    const entries = Answer.take(pending, head, budget)
    const rest = pending.slice(entries.length)
    return { ...head, entries, remaining: rest.length, cursor: yield* memory.put({ ...known, pending: rest }) }
  })
}
