/**
 * `pnpm mutation [NAME…]`: changes the sources of packages in many small ways, and shows which of them no test notices; of all that
 * have a score to keep, or of those that are named. It changes files in place: run it in a copy of the repository.
 */
import { join } from "node:path"
import { environment, root, tool } from "./workspace.mjs"

/** The packages that have a score to keep, in percent: what is named beyond them keeps the lowest. */
const scores = { paging: 80, "core-http": 80, "appmgmt-client": 80, "health-schema": 85 }

/** Fewer runs of each property, and one HTTP client in place of three: a mutant is tested in seconds. */
const env = (name) => ({
  ...environment,
  PROPERTY_RUNS: "100",
  HTTP_LAYERS: "node",
  MUTATION_SCORE: String(scores[name] ?? 80),
})

const named = process.argv.slice(2)
const failed = (named.length > 0 ? named : Object.keys(scores)).filter(
  (name) =>
    tool("stryker", ["run", "../../stryker.config.mjs"], {
      cwd: join(root, "packages", name),
      env: env(name),
      quiet: false,
    }).status !== 0,
)
process.exitCode = failed.length
