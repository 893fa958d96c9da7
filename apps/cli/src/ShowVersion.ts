/** `vigil version`: like `--version`. `bin.ts` prints it without loading this file, unless there are flags. */
import * as Command from "./Command.js"
import * as Output from "./output/Output.js"
import { version } from "./Version.js"

export const command = Command.make({
  name: "version",
  description: "Print the version.",
  examples: ["vigil version"],
  flags: {},
  notesIgnoredFiles: false,
  run: function* () {
    yield* Output.data([version])
  },
})
