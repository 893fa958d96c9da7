/** Results within a budget: what does not fit is counted, and a cursor continues. */
import type { HealthClient } from "@vigil/health-client/HealthClient"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import { HealthToolError } from "../HealthToolError.js"

export const cursor = Schema.optionalKey(Schema.String)

/** A result: facts of `Head`, and the entries that fit. */
export const schema = <Head extends Schema.Struct.Fields, Entry extends Schema.Constraint>(head: Head, entry: Entry) =>
  Schema.Struct({ ...head, entries: Schema.Array(entry), remaining: Schema.Finite, cursor })

/** More cursors than this end the oldest one. */
const maxCursors = 16

/** What cursors stand for, until the layer ends. A cursor with the data itself would be too long, and a new read could skip entries. */
export const memory = <A>() => {
  const all = new Map<string, A>()
  return {
    get: (cursor: string): Effect.Effect<A, HealthToolError> =>
      Effect.suspend(() => {
        const found = all.get(cursor)
        return found === undefined
          ? new HealthToolError({
              message: "The cursor is invalid or has ended. Call the tool without a cursor to begin again.",
            })
          : Effect.succeed(found)
      }),
    put: (value: A): Effect.Effect<string> =>
      Effect.map(Random.next, (random) => {
        const cursor = random.toString(36).slice(2)
        all.set(cursor, value)
        const [oldest] = all.keys()
        if (oldest !== undefined && all.size > maxCursors) all.delete(oldest)
        return cursor
      }),
  }
}

/** The length of a value as JSON, with its comma. */
const lengthOf = (value: unknown): number => JSON.stringify(value).length + 1

/** For `remaining` and `cursor`. */
const reserved = 80

/** Takes the entries that fit beside the other facts, at least one. */
export const take = <A>(entries: ReadonlyArray<A>, head: object, budget: number): ReadonlyArray<A> => {
  let left = budget - lengthOf(head) - reserved
  const end = entries.findIndex((entry) => (left -= lengthOf(entry)) < 0)
  return end === -1 ? entries : entries.slice(0, Math.max(1, end))
}

interface Complete<Head, Entry> {
  readonly head: Head
  readonly entries: ReadonlyArray<Entry>
}

/** A tool that reads everything in its first call, and then continues by cursors. */
export const paged = <Given extends object, Head extends object, Entry>(
  budget: number,
  read: (given: Given) => Effect.Effect<Complete<Head, Entry>, HealthToolError, HealthClient>,
) => {
  const rests = memory<Complete<Head, Entry>>()
  return Effect.fnUntraced(function* (given: Given & { readonly cursor?: string }) {
    const { entries: all, head } = yield* given.cursor === undefined ? read(given) : rests.get(given.cursor)
    const entries = take(all, head, budget)
    const remaining = all.length - entries.length
    const result = { ...head, entries, remaining }
    if (remaining === 0) return result
    return { ...result, cursor: yield* rests.put({ head, entries: all.slice(entries.length) }) }
  })
}
