/** Runs a command line: prints help, or runs a command. A failure becomes one sentence on stderr and an exit code. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as Defect from "./output/Defect.js"
import * as Failure from "./command/Failure.js"
import * as Help from "./command/Help.js"
import type { Input } from "./command/Input.js"
import * as Parse from "./command/Parse.js"
import { version } from "./command/Version.js"
import * as Commands from "./Commands.js"
import { note, Output, withTimes } from "./output/Output.js"
import * as Secrets from "./settings/Secrets.js"
import * as Settings from "./settings/Settings.js"

/** Files and HTTP. Loaded lazily: help does not need them, and they are half of the code. */
const platform = Layer.unwrap(Effect.promise(async () => (await import("./Platform.js")).layer))

/** Fails if the settings file is unusable, and notes if it is ignored. */
const checkSettings = Effect.gen(function* () {
  const { broken, ignored } = yield* Settings.Settings
  if (broken !== undefined) return yield* broken
  if (ignored !== undefined) yield* note(`vigil: ${ignored}`)
})

const perform = ({ command, common: { debug, logLevel }, given }: Parse.Parsed) => {
  const level = debug ? "debug" : logLevel
  const run = Effect.andThen(command.requiresSettings ? checkSettings : Effect.void, command.run(given)).pipe(
    Effect.provide([Settings.layer, platform]),
  )
  return level === undefined ? run : Effect.provideService(run, References.MinimumLogLevel, Parse.levels[level])
}

/** Returns the exit code, and notes a failure in one sentence. */
const settle = <R>(effect: Effect.Effect<unknown, Failure.Failure, R>) =>
  Effect.catchCause(Effect.as(effect, 0), (cause) => {
    const { exitCode, sentence } = Failure.report(cause)
    return Effect.as(sentence === undefined ? Effect.void : note(`vigil: ${sentence}`), exitCode)
  })

const execute = Effect.fnUntraced(function* (args: ReadonlyArray<string>, onServer: () => void) {
  yield* Secrets.refuseSecrets(args)
  const parsed = yield* Parse.parse(Commands.root, args)
  const work = Effect.gen(function* () {
    const { color, data, width } = yield* Output
    if (parsed.common.help) return yield* data(yield* Help.render(parsed, { color, width }))
    if (parsed.given.flags.has("version")) return yield* data([version])
    yield* perform(parsed)
  })
  const { isServer } = parsed.command
  if (isServer) onServer()
  return yield* Effect.updateService(settle(work), Output, (output) => ({
    ...(isServer ? withTimes(output) : output),
    color: output.color && !parsed.common.noColor,
  }))
})

/** Prints to stderr what libraries log. */
const logger = Logger.withConsoleError(
  Logger.make((entry) => Logger.formatLogFmt.log({ ...entry, cause: Defect.clean(entry.cause) })),
)

/** Runs `vigil` with the arguments after the script's name and returns the exit code. Never fails. `onServer`: if it runs until it is stopped. */
export const run = (
  args: ReadonlyArray<string>,
  onServer: () => void = () => {},
): Effect.Effect<number, never, Input | Output> =>
  execute(args, onServer).pipe(
    Effect.provide(Logger.layer([logger])),
    Effect.catchCause((cause) => settle(Effect.failCause(cause))),
  )
