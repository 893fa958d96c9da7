/** Reads something of each subscription. One that fails is noted and does not hide the others. */
import type { RequestError } from "@vigil/core-http/RequestError"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Failure from "../command/Failure.js"
import type * as Connection from "../connection/Connection.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import * as Lists from "./Lists.js"
import * as EventLists from "./EventLists.js"

/** Whether a subscription does not have what was requested by its ID. An unknown subscription is an error. */
export const isMissing = ({ reason }: RequestError): boolean =>
  reason._tag === "NotFound" && reason.code !== "SubscriptionNotFound"

/**
 * Returns what `find` found, and where; it returns `undefined` for nothing. Fails with the error of the only subscription, or if all fail. `end`
 * fails if one failed: the command runs it after its output.
 */
export const search = Effect.fnUntraced(function* <A extends object, E extends Failure.Failure, R>(
  { names }: Pick<Connection.Health, "names">,
  ids: ReadonlyArray<SubscriptionId>,
  find: (id: SubscriptionId) => Effect.Effect<A | undefined, E, R>,
) {
  const results = yield* Effect.forEach(
    Lists.subjectsOf({ names }, ids),
    (list) => Effect.map(Effect.result(find(list.id)), (result) => ({ list, result })),
    { concurrency: Subscriptions.concurrency },
  )
  const failures = results.flatMap(({ list, result }) =>
    Result.isFailure(result) ? [{ list, error: result.failure }] : [],
  )
  yield* EventLists.noteFailures(failures, ids.length)
  const found = results.flatMap(({ list: { id }, result }) =>
    Result.isSuccess(result) && result.success !== undefined ? [{ id, value: result.success }] : [],
  )
  return {
    ids: found.map(({ id }) => id),
    values: found.map(({ value }) => value),
    end: Lists.failIfIncomplete(failures.length, ids.length),
  }
})
