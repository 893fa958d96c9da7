/** The flags of every command, wherever they stand: `@effect/cli` reads one of them at the front alone, and knows none about colour. */
import * as Effect from "effect/Effect"
import { UsageError } from "./Failure.js"
import * as Suggestion from "./help/Suggestion.js"

/** How much is logged. */
export const levels = ["all", "trace", "debug", "info", "warning", "error", "fatal", "none"] as const

/** What they say, and the arguments without them. */
export interface Taken {
  readonly rest: ReadonlyArray<string>
  /** As `@effect/cli` reads it. */
  readonly logLevel: ReadonlyArray<string>
  /** Whether colour may be shown. */
  readonly colour: boolean
}

const logLevel = "--log-level"
const noColour = "--no-color"
const debug = "--debug"

const levelOf = (value: string | undefined): Effect.Effect<ReadonlyArray<string>, UsageError> => {
  const known = levels.find((level) => level === value?.toLowerCase())
  if (known !== undefined) return Effect.succeed([logLevel, known])
  return new UsageError({
    message:
      value === undefined
        ? `${logLevel} lacks its value: give one of ${levels.join(", ")}.`
        : `${logLevel} ${JSON.stringify(value)} is none of ${levels.join(", ")}.${Suggestion.ask(value, levels)}`,
  })
}

/** Takes them out of the arguments, up to a `--`. Fails with a `UsageError` where there is no such level. */
export const take = (args: ReadonlyArray<string>): Effect.Effect<Taken, UsageError> =>
  Effect.gen(function* () {
    const end = args.includes("--") ? args.indexOf("--") : args.length
    const rest: Array<string> = []
    let level: ReadonlyArray<string> = []
    let colour = true
    for (let at = 0; at < end; at++) {
      const [argument = "", next] = args.slice(at, Math.min(at + 2, end))
      if (argument === noColour) colour = false
      else if (argument === debug) level = [logLevel, "debug"]
      else if (argument === logLevel) {
        level = yield* levelOf(next)
        at++
      } else if (argument.startsWith(`${logLevel}=`)) level = yield* levelOf(argument.slice(logLevel.length + 1))
      else rest.push(argument)
    }
    return { rest: [...rest, ...args.slice(end)], logLevel: level, colour }
  })
