/** Reads something of each subscription, the tenant and everyone. One that fails is noted and does not hide the others. */
import type { RequestError } from "@vigil/core-http/RequestError"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import type * as Subject from "@vigil/health-verdict/Subject"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Failure from "../command/Failure.js"
import type * as Connection from "../connection/Connection.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import { note, notePrefix } from "../output/Output.js"
import * as Beside from "./Beside.js"
import * as Endings from "./Endings.js"
import * as Lists from "./Lists.js"

/** Whether an owner does not have what was requested by its ID. An unknown subscription is an error. */
export const isMissing = ({ reason }: RequestError): boolean =>
  reason._tag === "NotFound" && reason.code !== "SubscriptionNotFound"

/**
 * Returns what `find` found, and where; it returns `undefined` for nothing. Fails with the error of the only subscription, or if all fail. `end`
 * fails if one failed: the command runs it after its output. `remark` follows a claim.
 */
export const search = Effect.fnUntraced(function* <A extends object, E extends Failure.Failure, R>(
  { names }: Pick<Connection.Health, "names">,
  ids: ReadonlyArray<SubscriptionId>,
  { leftOut, read }: Beside.Selection,
  find: (owner: Subject.Shared | SubscriptionId) => Effect.Effect<A | undefined, E, R>,
) {
  const results = yield* Effect.forEach(
    [...Lists.subjectsOf({ names }, ids), ...read.map(Beside.subjectOf)],
    (list) =>
      Effect.map(Effect.result(find(list.owner)), (result) => ({
        list,
        error: Result.isFailure(result) ? result.failure : undefined,
        found: Result.isSuccess(result) ? result.success : undefined,
      })),
    { concurrency: Subscriptions.concurrency },
  )
  const needed = results.slice(0, ids.length)
  const [first] = needed
  if (first?.error !== undefined && needed.length === 1) return yield* Effect.fail(first.error)
  for (const { error, list } of results)
    if (error !== undefined && !Endings.isOutside({ list, error }, results))
      yield* note(notePrefix(list.subject) + Failure.plain(error))
  const end = Endings.failIfIncomplete(results)
  if (needed.every(({ error }) => error !== undefined)) yield* end
  const found = results.flatMap(({ found, list: { owner } }) => (found === undefined ? [] : [{ owner, value: found }]))
  return {
    owners: found.map(({ owner }) => owner),
    values: found.map(({ value }) => value),
    remark: Endings.remark(results, leftOut),
    end,
  }
})
