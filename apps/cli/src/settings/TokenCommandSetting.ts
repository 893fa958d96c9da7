/** The setting for the token command: from the environment or the user's settings file. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { UsageError } from "../Failure.js"
import * as Argv from "./Argv.js"
import * as Environment from "./Environment.js"
import * as Settings from "./Settings.js"

const variable = "HEALTH_TOKEN_COMMAND"

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
const audienceOf = (baseUrl: string | undefined, file: string): string =>
  URL.parse(baseUrl ?? "")?.origin ?? `healthBaseUrl in ${JSON.stringify(file)} (missing or invalid)`

/** Fails with `UsageError` if the variable is invalid. */
export const find = Effect.gen(function* () {
  const text = yield* Environment.text(variable)
  if (text === undefined) {
    const { tokenCommand: command } = yield* Settings.read
    return command && make(command.argv, command.file, audienceOf(command.baseUrl, command.file))
  }
  const argv = Argv.parse(text)
  return Option.isSome(argv)
    ? make(argv.value, variable)
    : yield* new UsageError(
        // The value may be a secret and is not shown.
        `${variable} must be ${Argv.expected}. Set it to words, such as "az account get-access-token", or to a JSON array of texts.`,
      )
})
