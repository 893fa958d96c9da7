/** Answers within a budget: what does not fit is counted, and a cursor continues. */
import * as Base64Url from "effect/encoding/Base64Url"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { HealthToolError } from "../HealthToolError.js"

export const cursorParameter = Schema.optionalKey(Schema.String)

export const fields = {
  remaining: Schema.Finite,
  cursor: Schema.optionalKey(Schema.String),
}

/** Cursors as opaque text. */
export const cursors = <A>(schema: Schema.Codec<A, unknown>) => {
  const json = Schema.fromJsonString(schema)
  const encode = Schema.encodeSync(json)
  const decode = Schema.decodeUnknownOption(json)
  return {
    encode: (value: A): string => Base64Url.encode(encode(value)),
    decode: (text: string): Effect.Effect<A, HealthToolError> =>
      Option.match(Option.flatMap(Result.getSuccess(Base64Url.decodeString(text)), decode), {
        onNone: () => new HealthToolError({ message: "The cursor is invalid. Pass a cursor of an earlier answer." }),
        onSome: Effect.succeed,
      }),
  }
}

const offsets = cursors(Schema.Natural)

/** Where an answer begins. */
export const offset = (cursor: string | undefined): Effect.Effect<number, HealthToolError> =>
  cursor === undefined ? Effect.succeed(0) : offsets.decode(cursor)

type More = Schema.Struct<typeof fields>["Type"]

/** The length of a value as JSON, with its comma. */
const lengthOf = (value: unknown): number => JSON.stringify(value).length + 1

/** Makes an answer of the entries from `start` that fit into the budget, at least one. */
export const from = <A, B extends object>(
  all: ReadonlyArray<A>,
  start: number,
  budget: number,
  make: (entries: ReadonlyArray<A>, more: More) => B,
  encode: (offset: number) => string = offsets.encode,
): B => {
  const rest = all.slice(start)
  let left = budget - lengthOf(make([], { remaining: rest.length, cursor: encode(all.length) }))
  const end = rest.findIndex((entry) => (left -= lengthOf(entry)) < 0)
  const entries = end === -1 ? rest : rest.slice(0, Math.max(1, end))
  const remaining = rest.length - entries.length
  return make(entries, { remaining, ...(remaining > 0 ? { cursor: encode(start + entries.length) } : {}) })
}
