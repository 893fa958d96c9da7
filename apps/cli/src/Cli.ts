/** The whole command: its arguments, read by `@effect/cli`, and of a failure one sentence and an exit code. */
import { readFileSync } from "node:fs"
import { stripVTControlCharacters } from "node:util"
import * as Command from "@effect/cli/Command"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Arguments from "./Arguments.js"
import * as Apps from "./apps/Apps.js"
import * as Events from "./events/Events.js"
import * as Failure from "./Failure.js"
import type { Input } from "./Input.js"
import { Output } from "./output/Output.js"
import * as RepeatedFlags from "./RepeatedFlags.js"

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  readonly version: string
}

const groups = { events: Events.command, apps: Apps.command }

const root = Command.make("vigil").pipe(
  Command.withDescription("Service health events and app management on the command line."),
  Command.withSubcommands([groups.events, groups.apps]),
)

const execute = Command.run(root, { name: "vigil", version: manifest.version, executable: "vigil" })

/** What `@effect/cli` prints: help as data, without colour where none is wanted, and nothing of a failure. */
const withOwnConsole = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Output> =>
  Effect.flatMap(Output, ({ colour, data }) =>
    Console.consoleWith((console) =>
      Effect.withConsole(effect, {
        ...console,
        error: () => Effect.void,
        log: (...texts) => {
          const text = texts.join(" ").trimEnd()
          return Effect.ignore(data([colour ? text : stripVTControlCharacters(text)]))
        },
      }),
    ),
  )

const platform = Layer.mergeAll(
  NodeContext.layer,
  NodeHttpClient.layerUndici,
  Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger)),
)

/** Runs the command with its arguments (those after the script's name) and hands back the exit code. Never fails. */
export const run = (args: ReadonlyArray<string>): Effect.Effect<number, never, Input | Output> =>
  RepeatedFlags.separate(args).pipe(
    Effect.flatMap((separated) => Arguments.check(groups, separated, process.stdin.isTTY)),
    Effect.flatMap((checked) => withOwnConsole(execute(["node", "vigil", ...checked]))),
    Effect.provide(platform),
    Effect.as(0),
    Effect.catchAllCause((cause) => {
      const { exitCode, sentence } = Failure.report(cause)
      return Effect.as(
        sentence === undefined ? Effect.void : Effect.flatMap(Output, ({ note }) => note(`vigil: ${sentence}`)),
        exitCode,
      )
    }),
  )
