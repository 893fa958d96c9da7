/** `compare_since`: what changed since an earlier call. */
import { HealthClient } from "@vigil/health-client/HealthClient"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Watch from "@vigil/health-client/Watch"
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { HealthToolError } from "../HealthToolError.js"
import * as Answer from "./Answer.js"
import * as Query from "./Query.js"
import * as Row from "./Row.js"

export const parameters = Schema.Struct({
  subscriptions: Query.fields.subscriptions,
  days: Query.fields.days,
  cursor: Schema.optionalKey(Schema.String.annotate({ description: "Of the last answer; none to begin" })),
})

const Change = Schema.Struct({ change: Schema.String, subscription: Schema.String, ...Row.Brief.fields })

export const success = Schema.Struct({
  watched: Schema.Finite,
  changes: Schema.Array(Change),
  remaining: Answer.fields.remaining,
  cursor: Schema.String,
})

/** The events that a cursor stands for, and the changes that did not fit. */
interface Known {
  readonly days: number
  readonly states: ReadonlyMap<SubscriptionId, Watch.State<ApiVersion>>
  readonly pending: ReadonlyArray<typeof Change.Type>
}

/** More cursors than this end the oldest one. */
const maxCursors = 16

const poll = Effect.fnUntraced(function* (
  subscription: SubscriptionId,
  days: number,
  known: Watch.State<ApiVersion> | undefined,
  apiVersion: ApiVersion | undefined,
) {
  const { pagesBySubscription } = yield* HealthClient
  const now = yield* DateTime.now
  const state = known ?? Watch.empty<ApiVersion>(subscription, { apiVersion, now })
  const options = { now, lookback: Duration.days(days), baseline: "skip" } as const
  const read = Stream.runCollect(
    pagesBySubscription(subscription, { apiVersion, queryStartTime: Watch.since(state, options) }),
  )
  const { changes, state: next } = yield* Watch.advance(state, yield* read, read, options)
  return { changes, state: Watch.handled(next, new Set(next.pending)) }
})

/** The cursors end with the layer: events are too large to be part of them. */
export const make = () => {
  const all = new Map<string, Known>()
  return Effect.fnUntraced(function* ({ cursor, days = 3, ...given }: typeof parameters.Type, options: Query.Options) {
    const known = cursor === undefined ? undefined : all.get(cursor)
    if (cursor !== undefined && known === undefined)
      return yield* new HealthToolError({
        message: "The cursor has ended. Call compare_since without a cursor to begin again.",
      })
    let next = known
    if (next === undefined || next.pending.length === 0) {
      const ids = next === undefined ? yield* Query.scope(given, options) : [...next.states.keys()]
      const lookback = next?.days ?? days
      const steps = yield* Effect.forEach(
        ids,
        (id) =>
          Effect.map(
            Effect.mapError(poll(id, lookback, known?.states.get(id), options.apiVersion), Query.toolError),
            (step) => ({
              id,
              ...step,
            }),
          ),
        { concurrency: 8 },
      )
      next = {
        days: lookback,
        states: new Map(steps.map(({ id, state }) => [id, state])),
        pending: steps.flatMap(({ changes, id }) =>
          changes.map((change) => ({
            change: change._tag.toLowerCase(),
            subscription: id,
            ...Row.toBrief({ event: change.event, subscriptions: [id] }),
          })),
        ),
      }
    }
    const { pending, ...rest } = next
    const id = `changes-${(yield* Random.next).toString(36).slice(2)}`
    const watched = [...rest.states.values()].reduce((sum, { events }) => sum + events.size, 0)
    const answer = Answer.from(pending, 0, options.budget, (changes, { remaining }) => ({
      watched,
      changes,
      remaining,
      cursor: id,
    }))
    all.set(id, { ...rest, pending: pending.slice(answer.changes.length) })
    const [oldest] = all.keys()
    if (oldest !== undefined && all.size > maxCursors) all.delete(oldest)
    return answer
  })
}
