/** Questions on a terminal, until the answers are valid. */
import * as Effect from "effect/Effect"
import { CommandError } from "../command/CommandError.js"
import { Input, type InputError } from "../command/Input.js"
import type { UsageError } from "../flags/UsageError.js"
import * as Output from "../output/Output.js"

/** Asks until `read` accepts the answer. An empty answer is `undefined`, as without a terminal. */
export const ask = Effect.fnUntraced(function* <A, R>(
  question: string,
  read: (answer: string | undefined) => Effect.Effect<A, UsageError, R>,
) {
  const { ask, isInteractive } = yield* Input
  if (!isInteractive) return yield* read(undefined)
  const attempt: Effect.Effect<A, CommandError | InputError, Output.Output | R> = Effect.gen(function* () {
    const answer = yield* ask(question)
    if (answer === undefined) return yield* new CommandError("incomplete", "Nothing was written: the input ended.")
    return yield* read(answer.trim() || undefined)
  }).pipe(Effect.catchTag("UsageError", ({ message }) => Effect.andThen(Output.note(message), attempt)))
  return yield* attempt
})
