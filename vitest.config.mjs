/** Runs the tests of every package, and of the scripts, in one pool with one worker for each core. */
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { members, root } from "./scripts/workspace.mjs"
import shared from "./vitest.shared.mjs"

const project = (settings, name, folder) => ({ ...settings, root: folder, test: { ...settings.test, name } })

export default defineConfig((environment) => {
  const settings = shared(environment)
  return {
    test: {
      projects: [
        ...members.map(({ folder, manifest }) => project(settings, manifest.name, folder)),
        project(settings, "scripts", join(root, "scripts")),
      ],
      // Without this, vitest leaves a core to itself. A browser or a terminal is used by one test file at a time.
      maxWorkers: ["browser", "terminal"].includes(environment.mode) ? 1 : availableParallelism(),
      minWorkers: 1,
      // vitest takes this from the root alone.
      isolate: settings.test.isolate,
      reporters: ["dot"],
    },
  }
})
