/** Access tokens from the user's token command, which the environment or the settings file sets. */
import * as Origin from "@vigil/core-http/Origin"
import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { UsageError } from "../Failure.js"
import * as Argv from "../settings/Argv.js"
import * as Environment from "../settings/Environment.js"
import * as Settings from "../settings/Settings.js"
import * as Program from "./Program.js"
import * as TokenOutput from "./TokenOutput.js"

const variable = "HEALTH_TOKEN_COMMAND"

/** The client stops waiting for a credential after 30 seconds, and its error does not name the program. */
const limits = { time: Duration.seconds(25), output: 64 * 1024 }

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

/** The message never contains the arguments or a token. */
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

const problems = {
  empty: "it printed nothing",
  malformed: "it printed no token",
  expired: "its token has expired",
  unknownExpiry: "it printed an expiry that is not a time",
}

type Details = Pick<TokenCommandError, "problem" | "reason">

const endOf = (outcome: Program.Outcome): string =>
  outcome._tag === "Exited" ? `exit code ${outcome.code ?? outcome.signal}` : outcome._tag

const failureOf = (outcome: Exclude<Program.Outcome, { _tag: "Exited" }>): Details => {
  switch (outcome._tag) {
    case "NotStarted":
      return outcome.code === "ENOENT"
        ? { reason: "notFound", problem: "the program was not found" }
        : { reason: "notStarted", problem: `the program could not be started (${outcome.code})` }
    case "TooLarge":
      return { reason: "tooLarge", problem: `it printed more than ${limits.output / 1024} KB` }
    case "TimedOut":
      return { reason: "timeLimit", problem: `it did not end within ${Duration.format(limits.time)}` }
  }
}

/** Runs the program once. `from` is the variable or the file that sets it. */
export const fetch = Effect.fnUntraced(function* (argv: Argv.Argv, from: string) {
  const program = Argv.nameOf(argv)
  const fail = (details: Details) => new TokenCommandError({ program, from, ...details })
  const [duration, outcome] = yield* Effect.timed(Program.run(argv, limits))
  yield* Effect.logDebug(`Token command ${program}: ${endOf(outcome)} in ${Math.round(Duration.toMillis(duration))} ms`)
  if (outcome._tag !== "Exited") return yield* fail(failureOf(outcome))
  const { code, signal } = outcome
  if (code !== 0)
    return yield* fail({ reason: "exit", problem: code === null ? `ended by ${signal}` : `exit code ${code}` })
  const fetched = TokenOutput.parse(outcome.stdout, yield* DateTime.now)
  return Result.isSuccess(fetched)
    ? fetched.success
    : yield* fail({ reason: fetched.failure, problem: problems[fetched.failure] })
})

/** `audience` is the only origin that gets the token, or the setting that lacks it. Any origin if `undefined`. */
const make = (argv: Argv.Argv, from: string, audience?: string) => ({
  from: { kind: "command", name: Argv.nameOf(argv) } as const,
  audience,
  fetch: fetch(argv, from),
})

/** The base URL may come from a flag or the environment, but the command was written for that of its own file. */
const audienceOf = (baseUrl: string | undefined, file: string): string =>
  Origin.parseUrl(baseUrl ?? "")?.origin ?? `healthBaseUrl in ${JSON.stringify(file)} (missing or invalid)`

/** The command of the environment or of the settings file. Fails with `UsageError` if the variable is invalid. */
export const find = Effect.gen(function* () {
  const text = yield* Environment.text(variable)
  if (text === undefined) {
    const { file, tokenCommand } = yield* Settings.Settings
    return tokenCommand && make(tokenCommand.argv, file, audienceOf(tokenCommand.baseUrl, file))
  }
  const argv = Argv.parse(text)
  return Option.isSome(argv)
    ? make(argv.value, variable)
    : yield* new UsageError(
        // The value may be a secret and is not shown.
        `${variable} must be ${Argv.expected}. Set it to words, such as "az account get-access-token", or to a JSON array of texts.`,
      )
})
