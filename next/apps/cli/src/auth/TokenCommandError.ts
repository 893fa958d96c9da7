/** The error of the token command. Its message never contains the arguments or a token. */
import * as Data from "effect/Data"

const advice = {
  notFound: "Install it, or set its absolute path",
  notStarted: "Check the permissions of its file",
  exit: "To see the problem, run it in a terminal in your home folder, as vigil does",
  timeLimit: "Run it in a terminal: it may wait for an answer, which it cannot get from vigil",
  tooLarge: "It must print a token only",
  empty: "Run it in a terminal to see what it prints",
  malformed: "It must print one token, or a JSON object with accessToken, access_token or token",
  unknownExpiry: "It must print expires_on and expires_in in seconds, and expiresOn as a date-time",
  expired: "Sign in to it again, and check the clock of this machine",
}

export class TokenCommandError extends Data.TaggedError("TokenCommandError")<{
  /** The name of the program. */
  readonly program: string
  /** The variable or the file that sets the command. */
  readonly from: string
  readonly reason: keyof typeof advice
  /** What went wrong, such as "exit code 1". */
  readonly problem: string
}> {
  /** Whether another run may succeed. */
  readonly retryable = this.reason === "exit" || this.reason === "timeLimit"
  override get message() {
    return `The token command ${this.program} (${this.from}) failed: ${this.problem}. ${advice[this.reason]}.`
  }
}
