/** The error of a sign-in that ended without a response. */
import * as Data from "effect/Data"

export class SignInFailed extends Data.TaggedError("SignInFailed")<{ readonly message: string }> {
  readonly exit = "unauthenticated"
}
