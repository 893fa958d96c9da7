/** `npm test`: installs and builds what is missing, then runs vitest, from source. Arguments go to vitest. */
import { pnpm, run } from "./workspace.mjs"

const build = pnpm(["exec", "turbo", "run", "build", "--output-logs=errors-only"], { quiet: false })
if (build.status !== 0) process.exit(build.status)
process.exit(run("vitest", ["run", ...process.argv.slice(2)], { quiet: false }).status)
