/** Where a request of one's own goes: the path under `v0.1`, and what follows its `?`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../Failure.js"

/** The segments of the path under `v0.1`, as they are meant, and the query. */
export interface Target {
  readonly path: ReadonlyArray<string>
  readonly query: Readonly<Record<string, string>>
}

const decoded = Option.liftThrowable(decodeURIComponent)

const refuse = (text: string, why: string) => new UsageError({ message: `The path ${JSON.stringify(text)} ${why}` })

/**
 * Reads `apps/contoso/shop?top=5`, with or without a slash and `v0.1/` before it. Escapes are read, so that `%2F` is a slash within a
 * segment. Fails with a `UsageError` on a whole address, on what is no escape, and on a name that comes twice after the `?`.
 */
export const parse = (text: string): Effect.Effect<Target, UsageError> =>
  Effect.gen(function* () {
    if (/^\w+:\/\//.test(text)) return yield* refuse(text, "is a whole address: give the part of it after v0.1.")
    const [, escaped = "", search = ""] = /^\/?(?:v0\.1\/)?([^?]*)(?:\?(.*))?$/s.exec(text) ?? []
    const path = Option.all(escaped.split("/").map((segment) => decoded(segment)))
    if (Option.isNone(path)) return yield* refuse(text, "has a % that begins no escape: write %25 for it.")
    const pairs = [...new URLSearchParams(search)]
    const query = Object.fromEntries(pairs)
    if (Object.keys(query).length < pairs.length)
      return yield* refuse(text, "has a name twice after its question mark: give each once.")
    return { path: path.value, query }
  })
