/** Gets an access token from the user's token command. */
import type * as Credential from "@vigil/core-http/Credential"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Redacted from "effect/Redacted"
import type { TokenCommand } from "../settings/TokenCommandSetting.js"
import * as Program from "./Program.js"
import { TokenCommandError } from "./TokenCommandError.js"
import * as TokenOutput from "./TokenOutput.js"

/** The client stops waiting for a credential after 30 seconds, and its error does not name the program. */
const limits: Program.Limits = { time: "25 seconds", output: 64 * 1024 }

const problems = {
  empty: "it printed nothing",
  malformed: "it printed no token",
  expired: "its token has expired",
  unknownExpiry: "it printed an expiry that is not a time",
}

type Details = Pick<TokenCommandError, "problem" | "reason">

const endOf = (outcome: Program.Outcome): string =>
  outcome._tag === "Exited" ? `exit code ${outcome.code ?? outcome.signal}` : outcome._tag

const failureOf = (
  outcome: Exclude<Program.Outcome, { _tag: "Exited" }>,
  { output, time }: Program.Limits,
): Details => {
  switch (outcome._tag) {
    case "NotStarted":
      return outcome.code === "ENOENT"
        ? { reason: "notFound", problem: "the program was not found" }
        : { reason: "notStarted", problem: `the program could not be started (${outcome.code})` }
    case "TooLarge":
      return { reason: "tooLarge", problem: `it printed more than ${output / 1024} KB` }
    case "TimedOut":
      return {
        reason: "timeLimit",
        problem: `it did not end within ${Duration.format(Duration.fromInputUnsafe(time))}`,
      }
  }
}

/** Runs the program once. */
export const fetch = (
  { argv, from, program }: TokenCommand,
  limit: Program.Limits = limits,
): Effect.Effect<Credential.FetchedToken, TokenCommandError> =>
  Effect.gen(function* () {
    const fail = (details: Details) => new TokenCommandError({ program, from, ...details })
    const [duration, outcome] = yield* Effect.timed(Program.run(Redacted.value(argv), limit))
    yield* Effect.logDebug(
      `Token command ${program}: ${endOf(outcome)} in ${Math.round(Duration.toMillis(duration))} ms`,
    )
    if (outcome._tag !== "Exited") return yield* fail(failureOf(outcome, limit))
    const { code, signal } = outcome
    if (code !== 0)
      return yield* fail({
        reason: "exit",
        problem: code === null ? `ended by ${signal}` : `exit code ${code}`,
      })
    const fetched = TokenOutput.parse(outcome.stdout, yield* DateTime.now)
    return Result.isSuccess(fetched)
      ? fetched.success
      : yield* fail({ reason: fetched.failure, problem: problems[fetched.failure] })
  })
