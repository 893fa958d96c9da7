/** Which pending changes of a stored state were handled, as a small JSON text. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const Progress = Schema.Struct({
  /** The state that it belongs to. */
  id: Schema.String,
  /** Ranges of indexes: the first one, and the one after the last. */
  handled: Schema.Array(Schema.Tuple([Schema.Number, Schema.Number])),
})

const decodeProgress = Schema.decodeUnknownResult(Schema.fromJsonString(Progress))

interface Stored<Change> {
  readonly id?: string | undefined
  readonly pending: ReadonlyArray<Change>
}

export const encode = <Change>({ id = "", pending }: Stored<Change>, done: ReadonlySet<Change>): string => {
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
export const decode = <Change>(text: string | undefined, { id, pending }: Stored<Change>): Set<Change> => {
  const progress = Result.getOrUndefined(decodeProgress(text))
  if (progress === undefined || progress.id !== id) return new Set()
  return new Set(progress.handled.flatMap(([start, end]) => pending.slice(start, end)))
}

/** Returns a state without the pending changes that were handled. */
export const without = <Change, S extends Stored<Change>>(stored: S, changes: ReadonlySet<Change>): S =>
  changes.size === 0
    ? stored
    : { ...stored, id: undefined, pending: stored.pending.filter((change) => !changes.has(change)) }
