/** `vigil trust`: lets the settings file of the working folder decide where tokens go. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { UsageError } from "../Failure.js"
import { Output } from "../output/Output.js"
import * as ConfigFile from "./ConfigFile.js"
import * as ProjectFile from "./ProjectFile.js"
import * as Settings from "./Settings.js"
import * as TrustedFiles from "./TrustedFiles.js"

const remove = Options.boolean("remove").pipe(Options.withDescription("Stop trusting the file."))

/** The settings file of the working folder. */
const load = Effect.gen(function* () {
  const file = yield* ProjectFile.path
  const loaded = yield* ConfigFile.load(file)
  if (loaded._tag === "Missing")
    return yield* new UsageError({ message: `There is no ${ProjectFile.fileName} in this folder.` })
  if (loaded._tag === "Ignored")
    return yield* new UsageError({ message: Settings.ignoredSentence({ file, ...loaded }) })
  return { file, ...loaded }
})

/** The command. */
export const command = Command.make("trust", { remove }, (flags) =>
  Effect.gen(function* () {
    const { note } = yield* Output
    const { contents, file, text } = yield* load
    if (flags.remove) {
      yield* TrustedFiles.remove(file, text)
      return yield* note(`${JSON.stringify(file)} is not trusted.`)
    }
    yield* TrustedFiles.add(file, text)
    yield* note(`Trusted ${JSON.stringify(file)} until it changes:`)
    for (const key of ConfigFile.keys) {
      const value = contents[key]
      if (value !== undefined) yield* note(`  ${key}: ${value}`)
    }
  }),
).pipe(
  Command.withDescription(
    "Let the vigil.config.json of this folder choose base URLs, the portal and how to sign in. The trust ends when the file changes.",
  ),
)
