/** The body of a request: whether there is one, and what it says. */
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Answer } from "../answer.js"
import * as refusals from "./refusals.js"

/**
 * The body as text, empty when there is none; nothing when it can't be read to its end. A chunked one has to be read to tell
 * whether there is any of it.
 */
export const read = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Option.Option<string>> =>
  Effect.option(request.text)

/** Goes on with what the body says; `expected` is for whoever wrote another one. */
export const as =
  <A, I>(schema: Schema.Schema<A, I>, expected: string) =>
  (text: Option.Option<string>, answer: (said: A) => Answer): Answer =>
    Option.flatMap(text, (text) => Either.getRight(Schema.decodeUnknownEither(Schema.parseJson(schema))(text))).pipe(
      Option.match({ onNone: () => refusals.unreadable(expected), onSome: answer }),
    )
