/** Access tokens from the user's token command, which the environment or the settings file sets. */
import type * as Credential from "@vigil/core-http/Credential"
import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as UndefinedOr from "effect/UndefinedOr"
import { UsageError } from "../flags/UsageError.js"
import * as Argv from "../settings/Argv.js"
import * as Environment from "../settings/Environment.js"
import * as Settings from "../settings/Settings.js"
import * as AzureCli from "./AzureCli.js"
import * as Program from "./Program.js"

const variable = "HEALTH_TOKEN_COMMAND"

/** The client stops waiting for a credential after 30 seconds, and its error does not name the program. */
const limits = { time: Duration.seconds(25), output: 64 * 1024 }

/** What went wrong, and what to do. */
const reasons = {
  notFound: ["the program was not found", "Install it, or set its absolute path"],
  notStarted: ["the program could not be started", "Check the permissions of its file"],
  exit: ["the program failed", "To see the problem, run it in a terminal in your home folder, as vigil does"],
  timeLimit: [
    `it did not end within ${Duration.format(limits.time)}`,
    "Run it in a terminal: it may wait for an answer, which it cannot get from vigil",
  ],
  tooLarge: [`it printed more than ${limits.output / 1024} KB`, "It must print a token only"],
  empty: ["it printed nothing", "Run it in a terminal to see what it prints"],
  malformed: [
    "it printed no token",
    "It must print one token, or a JSON object with accessToken, access_token or token",
  ],
  unknownExpiry: [
    "it printed an expiry that is not a time",
    "It must print expires_on and expires_in in seconds, and expiresOn as a date-time",
  ],
  expired: ["its token has expired", "Sign in to it again, and check the clock of this machine"],
} as const

interface Problem {
  readonly reason: keyof typeof reasons
  /** The exit code, or the system's error code. */
  readonly detail?: string
  /** What the Azure CLI says. */
  readonly sentence?: string | undefined
}

/** The message never contains the arguments or a token. */
export class TokenCommandError extends Data.TaggedError("TokenCommandError")<
  Problem & {
    /** The name of the program. */
    readonly program: string
    /** The variable or the file that sets the command. */
    readonly from: string
  }
> {
  /** Whether another run may succeed. */
  readonly isRetryable = this.reason === "exit" || this.reason === "timeLimit"
  /** Whether the program itself is missing or unusable, so that no other run may succeed. */
  readonly isFinal = this.reason === "notFound" || this.reason === "notStarted"
  override get message() {
    const [problem, advice] = reasons[this.reason]
    const detail = this.detail === undefined ? "" : ` (${this.detail})`
    const end = this.sentence === undefined ? `${advice}.` : `It says: ${this.sentence}`
    return `The token command ${this.program} (${this.from}) failed: ${problem}${detail}. ${end}`
  }
}

const problemOf = (outcome: Program.Outcome): Problem | undefined => {
  switch (outcome._tag) {
    case "NotStarted":
      return outcome.code === "ENOENT" ? { reason: "notFound" } : { reason: "notStarted", detail: outcome.code }
    case "TooLarge":
      return { reason: "tooLarge" }
    case "TimedOut":
      return { reason: "timeLimit" }
    case "Exited":
      return outcome.code === 0 ? undefined : { reason: "exit", detail: `exit code ${outcome.code ?? outcome.signal}` }
  }
}

const parseJson = Schema.decodeOption(Schema.fromJsonString(Schema.Unknown))

/** A date-time without a zone is local time, as the Azure CLI prints it. */
const dateTime = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/i

const seconds = (value: unknown): number =>
  typeof value === "number" || (typeof value === "string" && /^\d+(\.\d+)?$/.test(value)) ? Number(value) : Number.NaN

/** Seconds since 1970, or a date-time, in milliseconds. */
const instant = (value: unknown): number => {
  const [, date, time, zone = ""] = (typeof value === "string" && dateTime.exec(value)) || []
  return date === undefined ? seconds(value) * 1000 : Date.parse(`${date}T${time}${zone}`)
}

/** In milliseconds: `undefined` without an expiry, `NaN` if none is a time. */
const lifetimeOf = (fields: Readonly<Record<string, unknown>>, now: number): number | undefined => {
  const expiries = [
    [fields["expires_on"], (value: unknown) => instant(value) - now],
    // The Azure CLI prints it in local time, which occurs twice at the end of summer time.
    [fields["expiresOn"], (value: unknown) => instant(value) - now],
    [fields["expires_in"], (value: unknown) => seconds(value) * 1000],
  ] as const
  const given = expiries.filter(([value]) => value !== undefined && value !== null)
  return given.length === 0
    ? undefined
    : (given.map(([value, read]) => read(value)).find(Number.isFinite) ?? Number.NaN)
}

/** Visible ASCII without spaces, so that a sentence is not taken for a token. */
const token = /^[\x21-\x7e]+$/

const names = ["accessToken", "access_token", "token"]

/** Reads what a program printed that ended at `now`: a token, or JSON with a token and its expiry. A JSON string is a token, too. */
export const readOutput = (
  stdout: string,
  now: DateTime.Utc,
): Result.Result<Credential.FetchedSecret, "empty" | "malformed" | "expired" | "unknownExpiry"> => {
  const text = stdout.trim()
  if (text === "") return Result.fail("empty")
  const value = /^["[{]/.test(text) ? Option.getOrUndefined(parseJson(text)) : text
  const fields: Readonly<Record<string, unknown>> = Predicate.isObject(value) ? value : { token: value }
  const found = names.map((name) => fields[name]).find((field) => field !== undefined && field !== null)
  if (typeof found !== "string" || !token.test(found)) return Result.fail("malformed")
  const lifetime = lifetimeOf(fields, DateTime.toEpochMillis(now)) ?? undefined
  if (Number.isNaN(lifetime)) return Result.fail("unknownExpiry")
  return lifetime !== undefined && lifetime <= 0
    ? Result.fail("expired")
    : Result.succeed({ secret: Redacted.make(found), lifetime: UndefinedOr.map(lifetime, Duration.millis) })
}

/** Runs the program once. `from` is the variable or the file that sets it. */
export const fetch = Effect.fnUntraced(function* (argv: Argv.Argv, from: string) {
  const program = Argv.nameOf(argv)
  const [duration, outcome] = yield* Effect.timed(Program.run(argv, limits))
  const problem = problemOf(outcome)
  const end = problem?.detail ?? problem?.reason ?? "exit code 0"
  yield* Effect.logDebug(`Token command ${program}: ${end} in ${Math.round(Duration.toMillis(duration))} ms`)
  if (problem !== undefined) {
    const sentence = AzureCli.isAzureCli(argv) ? AzureCli.sentence(outcome) : undefined
    return yield* new TokenCommandError({ program, from, ...problem, sentence })
  }
  const stdout = outcome._tag === "Exited" ? outcome.stdout : ""
  const fetched = readOutput(stdout, yield* DateTime.now)
  return yield* Effect.fromResult(
    Result.mapError(fetched, (reason) => new TokenCommandError({ program, from, reason })),
  )
})

/** `audience` is the only origin that gets the token, or the setting that lacks it. Any origin if `undefined`. */
const make = (argv: Argv.Argv, from: string, audience?: string) => ({
  from: { kind: "command", name: Argv.nameOf(argv) } as const,
  audience,
  fetch: fetch(argv, from),
})

/** The base URL may come from a flag or the environment, but the command was written for that of its own file. */
const audienceOf = (baseUrl: string | undefined, file: string): string =>
  URL.parse(baseUrl ?? "")?.origin ?? `healthBaseUrl in ${JSON.stringify(file)} (missing or invalid)`

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
