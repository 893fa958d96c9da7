/** `vigil trust`: trusts the settings file of the working folder. */
import * as Effect from "effect/Effect"
import * as Command from "../Command.js"
import { UsageError } from "../Failure.js"
import * as Flag from "../Flag.js"
import * as Output from "../output/Output.js"
import * as ConfigFile from "./ConfigFile.js"
import * as ProjectFile from "./ProjectFile.js"
import * as Settings from "./Settings.js"

const load = (file: string) =>
  Effect.gen(function* () {
    const loaded = yield* ConfigFile.load("project", file)
    if (loaded._tag === "Missing") return yield* new UsageError(`This folder has no ${ProjectFile.fileName}.`)
    if (loaded._tag === "Ignored") return yield* new UsageError(Settings.ignoredSentence({ file, ...loaded }))
    return loaded
  })

export const command = Command.make({
  name: "trust",
  description:
    "Allow the vigil.config.json of this folder to set URLs and sign-in options. The trust ends when the file changes.",
  examples: ["vigil trust", "vigil trust --remove"],
  flags: { remove: Flag.boolean("Stop trusting the file") },
  notesIgnoredFiles: false,
  run: function* (flags) {
    const file = yield* ProjectFile.path
    if (flags.remove) {
      yield* ProjectFile.distrust(file)
      return yield* Output.note(`${JSON.stringify(file)} is not trusted.`)
    }
    const { contents, text } = yield* load(file)
    yield* ProjectFile.trust(file, text)
    yield* Output.note(`Trusted ${JSON.stringify(file)} until it changes:`)
    for (const key of ConfigFile.keys) {
      const value = contents[key]
      if (value !== undefined) yield* Output.note(`  ${key}: ${value}`)
    }
  },
})
