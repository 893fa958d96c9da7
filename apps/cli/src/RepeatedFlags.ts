/** Flags that may be given several times: `@effect/cli` reads no `--flag=value` of them, and drops one without a value. */
import * as Effect from "effect/Effect"
import { UsageError } from "./Failure.js"

/** Wherever these are flags, they take a value. */
const names: ReadonlySet<string> = new Set([
  "-s",
  "--subscription",
  "--type",
  "--level",
  "--status",
  "--service",
  "--region",
])

const help = new Set(["-h", "--help"])

/** The flag and its value as two arguments, of which the value may be missing; nothing for another argument. */
const pairOf = (argument: string, next: string | undefined): readonly [string, string | undefined] | undefined => {
  if (names.has(argument)) return [argument, next?.startsWith("-") === true ? undefined : next]
  const [, name = "", value] = /^(--[^=]+)=(.*)$/s.exec(argument) ?? []
  return names.has(name) ? [name, value] : undefined
}

/** The arguments with each such flag and its value apart. A `UsageError` when one lacks its value. */
export const separate = (args: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>, UsageError> =>
  Effect.gen(function* () {
    if (args.some((argument) => help.has(argument))) return args
    const separated: Array<string> = []
    for (let at = 0; at < args.length; at++) {
      const [argument = "", next] = args.slice(at)
      if (argument === "--") return [...separated, ...args.slice(at)]
      const pair = pairOf(argument, next)
      if (pair === undefined) {
        separated.push(argument)
        continue
      }
      const [name, value = ""] = pair
      if (value === "")
        return yield* new UsageError({
          message: `The flag ${name} lacks its value. Run with --help to see what there is.`,
        })
      separated.push(name, value)
      if (argument === name) at++
    }
    return separated
  })
