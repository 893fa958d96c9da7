/** The whole command: its arguments, read by `@effect/cli`, and of a failure one sentence and an exit code. */
import { stripVTControlCharacters } from "node:util"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as ValidationError from "@effect/cli/ValidationError"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Arguments from "./Arguments.js"
import * as Apps from "./apps/Apps.js"
import * as AttachedValues from "./AttachedValues.js"
import * as Auth from "./auth/Auth.js"
import * as Completions from "./Completions.js"
import * as Doctor from "./doctor/Doctor.js"
import * as Events from "./events/Events.js"
import * as Failure from "./Failure.js"
import * as Help from "./help/Help.js"
import * as Manual from "./help/Manual.js"
import * as Mistake from "./help/Mistake.js"
import { Input } from "./Input.js"
import { Output, type OutputError } from "./output/Output.js"
import * as OwnFlags from "./OwnFlags.js"
import * as RepeatedFlags from "./RepeatedFlags.js"
import * as Sandbox from "./Sandbox.js"
import * as Settings from "./settings/Settings.js"
import * as Trust from "./settings/Trust.js"
import { version } from "./Version.js"

const groups = {
  events: Events.command,
  apps: Apps.command,
  auth: Auth.command,
  doctor: Doctor.command,
  trust: Trust.command,
  sandbox: Sandbox.command,
  completions: Completions.command(() => manual),
}

const root = Command.make("vigil").pipe(
  Command.withDescription("Service health events and app management on the command line."),
  Command.withSubcommands([
    groups.events,
    groups.apps,
    groups.auth,
    groups.doctor,
    groups.trust,
    groups.sandbox,
    groups.completions,
  ]),
)

const manual: Manual.Manual = Manual.make(root, groups)

/** The commands that use no settings, or report themselves which files are ignored. */
const withoutNotes = new Set(["vigil completions", "vigil doctor", "vigil trust"])

const execute = Command.run(root, { name: "vigil", version, executable: "vigil" })

/** Reads the arguments and runs what they ask for. What `@effect/cli` makes of a mistake is told in our words, where they say more. */
const perform = (asked: Manual.Manual, args: ReadonlyArray<string>, logLevel: ReadonlyArray<string>) =>
  Effect.mapError(execute(["node", "vigil", ...logLevel, ...args]), (error) => {
    if (!ValidationError.isValidationError(error)) return error
    const message = Mistake.find(asked, args.slice(Manual.depth(asked)), {
      reason: Failure.reason(error),
      isMissing: ValidationError.isMissingValue(error),
    })
    return message === undefined ? error : new Failure.UsageError({ message: `${message} ${Failure.hint}` })
  })

const showHelp = (asked: Manual.Manual) =>
  Effect.flatMap(Output, ({ colour, data, width }) => data(Help.render(asked, { colour, width })))

/** What `@effect/cli` prints: the version as data, without colour where none is wanted, and nothing of a failure. */
const withOwnConsole = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | OutputError, R | Output> =>
  Effect.gen(function* () {
    const { colour, data } = yield* Output
    const console = yield* Console.consoleWith(Effect.succeed)
    // A console can't fail: what it could not write is told at the end.
    let unwritten: Effect.Effect<void, OutputError> = Effect.void
    const result = yield* Effect.withConsole(effect, {
      ...console,
      error: () => Effect.void,
      log: (...texts) => {
        const text = texts.join(" ").trimEnd()
        return Effect.catchAll(data([colour ? text : stripVTControlCharacters(text)]), (error) =>
          Effect.sync(() => void (unwritten = error)),
        )
      },
    })
    yield* unwritten
    return result
  })

/** What commands work with. Loaded for those alone that run: help needs none of it, and it is half of all that there is to load. */
const platform = Layer.unwrapEffect(
  Effect.map(
    Effect.promise(() => import("./Platform.js")),
    ({ layer }) => layer,
  ),
)

const settings = Layer.mergeAll(
  // It takes a flag that is near another for a slip, even one that is right: suggestions are ours. And it lets a flag in capitals pass
  // without its doing anything: that of a dry run, too.
  CliConfig.layer({ autoCorrectLimit: 0, isCaseSensitive: true }),
  Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger)),
)

/** Runs the command with its arguments (those after the script's name) and hands back the exit code. Never fails. */
export const run = (args: ReadonlyArray<string>): Effect.Effect<number, never, Input | Output> =>
  Effect.gen(function* () {
    const { colour, logLevel, rest } = yield* OwnFlags.take(
      args.length === 1 && args[0] === "version" ? ["--version"] : args,
    )
    const { isTerminal } = yield* Input
    const asked = yield* Arguments.check(manual, rest, isTerminal)
    const work = asked.help
      ? showHelp(asked.manual)
      : Effect.gen(function* () {
          const separated = yield* RepeatedFlags.separate(yield* AttachedValues.separate(asked.manual, rest))
          if (!withoutNotes.has(asked.manual.path)) yield* Settings.noteIgnored
          yield* Effect.provide(withOwnConsole(perform(asked.manual, separated, logLevel)), platform)
        })
    return yield* colour ? work : Effect.updateService(work, Output, (output) => ({ ...output, colour: false }))
  }).pipe(
    Effect.provide(settings),
    Effect.as(0),
    Effect.catchAllCause((cause) => {
      const { exitCode, sentence } = Failure.report(cause)
      return Effect.as(
        sentence === undefined ? Effect.void : Effect.flatMap(Output, ({ note }) => note(`vigil: ${sentence}`)),
        exitCode,
      )
    }),
  )
