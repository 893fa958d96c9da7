/** The error without a token for the base URL. */
import * as Data from "effect/Data"

export class TokenMissing extends Data.TaggedError("TokenMissing")<{ readonly message: string }> {
  readonly exit = "unauthenticated"
}
