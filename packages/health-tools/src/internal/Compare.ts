/** `compare_since`: what changed since an earlier call. */
import { HealthClient } from "@vigil/health-client/HealthClient"
import { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Watch from "@vigil/health-client/Watch"
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Answer from "./Answer.js"
import * as Query from "./Query.js"
import * as Row from "./Row.js"

const Change = Schema.Struct({ change: Schema.String, subscription: Schema.String, ...Row.brief })

type State = Watch.State<ApiVersion>

const poll = Effect.fnUntraced(function* (state: State, days: number) {
  const { pagesBySubscription } = yield* HealthClient
  const { apiVersion, subscription } = state.list
  const options = { now: yield* DateTime.now, lookback: Duration.days(days), baseline: "skip" } as const
  const read = Stream.runCollect(
    pagesBySubscription(SubscriptionId.make(subscription), { apiVersion, queryStartTime: Watch.since(state, options) }),
  )
  const pages = yield* read
  const { changes, state: next } = yield* Watch.advance(state, pages, read, options)
  return { changes, invalid: Query.countInvalid(pages), state: Watch.handled(next, new Set(changes)) }
})

/** Polls each subscription. One that fails keeps its state, so that the next call compares with it. */
const advance = (
  days: number,
  states: ReadonlyArray<State>,
): Answer.Read<Schema.Struct.Type<typeof Query.unread>, typeof Change.Type> =>
  Effect.gen(function* () {
    const problems: Array<string> = []
    const polls = yield* Effect.forEach(
      states,
      (state) =>
        Effect.catch(poll(state, days), (error) => {
          problems.push(Query.problem(state.list.subscription, error))
          return Effect.succeed({ changes: [], invalid: 0, state })
        }),
      { concurrency: 8 },
    )
    return {
      head: {
        invalidEntries: polls.reduce((sum, { invalid }) => sum + invalid, 0),
        failed: yield* Query.toFailed(problems, states.length),
      },
      entries: polls.flatMap(({ changes, state }) =>
        changes.map(({ _tag, event }) => ({
          change: _tag.toLowerCase(),
          subscription: state.list.subscription,
          ...Row.makeBrief(event),
        })),
      ),
      next: advance(
        days,
        polls.map(({ state }) => state),
      ),
    }
  })

export const compareSince = Answer.define({
  name: "compare_since",
  description: "Returns what changed since the last call: appeared, updated, resolved, reopened or disappeared events.",
  parameters: Query.range,
  head: Query.unread,
  entry: Change,
  read: Effect.fnUntraced(function* ({ days = Query.defaultDays, ...given }, { apiVersion, ...options }) {
    const now = yield* DateTime.now
    const ids = yield* Query.scope(given, options)
    return yield* advance(
      days,
      ids.map((id) => Watch.empty<ApiVersion>(id, { apiVersion, now })),
    )
  }),
})
