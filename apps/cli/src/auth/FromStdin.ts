/** A token that comes on stdin: one line of it, never shown. */
import * as Credential from "@vigil/core-http/Credential"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { UsageError } from "../Failure.js"
import { Input, type InputError } from "../Input.js"

/** Longer than any token, in characters; with what is kept beside it, it fits the 16 KiB that are read of a file. */
const longest = 15 * 1024

const refuse = (what: string) => new UsageError({ message: `${what} Give the token alone, on one line.` })

/** Reads the token. Fails when it is none that a header may carry, or when a terminal would show it. */
export const read: Effect.Effect<Redacted.Redacted, InputError | UsageError, Input> = Effect.gen(function* () {
  const { isTerminal, lines } = yield* Input
  if (isTerminal)
    return yield* new UsageError({
      message:
        "--token-stdin reads from a pipe or a file, and a terminal would show what is typed. Run it as in: vigil auth login --token-stdin < file.",
    })
  const [line = "", ...more] = Chunk.toReadonlyArray(yield* Stream.runCollect(Stream.take(lines, 3)))
  const token = line.trim()
  if (more.some((other) => other.trim() !== "")) return yield* refuse("Stdin holds more than one line.")
  if (token === "") return yield* refuse("Stdin holds no token.")
  if (token.length > longest) return yield* refuse("What stdin holds is longer than a token can be.")
  return Credential.isHeaderText(token)
    ? Redacted.make(token)
    : yield* refuse("What stdin holds has a character that no token has.")
})
