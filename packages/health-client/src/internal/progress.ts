/** Which pending changes of a stored state were handled, as a small JSON text. */
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Change } from "./change.js"
import type { Data } from "./state.js"

const Progress = Schema.Struct({
  /** The state that it belongs to. */
  id: Schema.String,
  /** Ranges of indexes: the first one, and the one after the last. */
  handled: Schema.Array(Schema.Tuple([Schema.Number, Schema.Number])),
})

const decodeProgress = Schema.decodeUnknownResult(Schema.fromJsonString(Progress))

export const encode = <V extends ApiVersion>({ id = "", pending }: Data<V>, done: ReadonlySet<Change<V>>): string => {
  const handled: Array<[number, number]> = []
  for (const [index, change] of pending.entries()) {
    if (!done.has(change)) continue
    const last = handled.at(-1)
    if (last?.[1] === index) last[1] += 1
    else handled.push([index, index + 1])
  }
  return JSON.stringify({ id, handled } satisfies typeof Progress.Type)
}

/** Returns the handled changes of a state: none, if the text is not its progress. */
export const decode = <V extends ApiVersion>(text: string | undefined, { id, pending }: Data<V>): Set<Change<V>> => {
  const progress = Result.getOrUndefined(decodeProgress(text))
  if (progress === undefined || progress.id !== id) return new Set()
  return new Set(progress.handled.flatMap(([start, end]) => pending.slice(start, end)))
}
