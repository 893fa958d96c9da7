/** The setting for the token command: from the environment or the user's settings file. */
import * as Origin from "@vigil/core-http/Origin"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { UsageError } from "../Failure.js"
import * as Argv from "./Argv.js"
import * as Environment from "./Environment.js"
import * as Settings from "./Settings.js"

export const variable = "HEALTH_TOKEN_COMMAND"

/** `from` is the variable or the file. */
export interface TokenCommand {
  readonly program: string
  readonly argv: Redacted.Redacted<Argv.Argv>
  readonly from: string
  /** The only origin that gets the token, or the setting that lacks it. Any origin if `undefined`. */
  readonly audience: string | undefined
}

const make = (argv: Argv.Argv, from: string, audience?: string): TokenCommand => ({
  program: Argv.nameOf(argv),
  argv: Redacted.make(argv),
  from,
  audience,
})

/** The base URL may come from a flag or the environment, but the command was written for that of its own file. */
const audienceOf = ({ baseUrl = "", file }: Settings.FileCommand): string =>
  Origin.parseUrl(baseUrl)?.origin ?? `healthBaseUrl in ${JSON.stringify(file)} (missing or invalid)`

/** The value may be a secret and is not shown. */
const hint = (text: string): string => {
  if (/^[\s["]*[^\s="'[/\\]+=/.test(text)) return " It begins with a variable: variables cannot be set there."
  return /^\s*["']/.test(text) ? " It begins with a quote: quotes have no meaning there." : ""
}

/** Fails with `UsageError` if the variable is invalid. */
export const find: Effect.Effect<Option.Option<TokenCommand>, UsageError> = Effect.gen(function* () {
  const text = yield* Environment.secret(variable)
  if (Option.isNone(text)) {
    const { tokenCommand } = yield* Settings.read
    return Option.map(tokenCommand, (command) => make(command.argv, command.file, audienceOf(command)))
  }
  const value = Redacted.value(text.value)
  const argv = Argv.parse(value)
  return Option.isSome(argv)
    ? Option.some(make(argv.value, variable))
    : yield* new UsageError(
        `${variable} must be ${Argv.expected}.${hint(value)} Set it to words, such as "az account get-access-token", or to a JSON array of texts.`,
      )
})
