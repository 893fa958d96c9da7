/** Answers within a budget: what does not fit is counted, and a cursor continues. */
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { HealthToolError } from "../HealthToolError.js"

export const fields = {
  remaining: Schema.Natural.annotate({ description: "Entries that did not fit" }),
  cursor: Schema.optionalKey(Schema.String.annotate({ description: "Pass it to get the remaining entries" })),
}

/** The length of a value as JSON, with its comma. */
const lengthOf = (value: unknown): number => JSON.stringify(value).length + 1

/** For `remaining` and a cursor. */
const reserved = 400

/** Takes entries while the answer stays within the budget, at least one. */
export const take = <A>(all: ReadonlyArray<A>, rest: object, budget: number): ReadonlyArray<A> => {
  let left = budget - lengthOf(rest) - reserved
  const end = all.findIndex((one) => (left -= lengthOf(one)) < 0)
  return end === -1 ? all : all.slice(0, Math.max(1, end))
}

/** Cursors as opaque text. */
export const cursor = <A>(schema: Schema.Codec<A, unknown>) => {
  const json = Schema.fromJsonString(schema)
  const encode = Schema.encodeSync(json)
  const decode = Schema.decodeUnknownOption(json)
  return {
    encode: (value: A): string => Encoding.encodeBase64Url(encode(value)),
    decode: (text: string): Effect.Effect<A, HealthToolError> =>
      Option.match(Option.flatMap(Result.getSuccess(Encoding.decodeBase64UrlString(text)), decode), {
        onNone: () =>
          new HealthToolError({ message: "The cursor is invalid. Pass the cursor of an earlier answer, or none." }),
        onSome: Effect.succeed,
      }),
  }
}
