/**
 * Tests of the command that need a program of the machine, and so run apart from `npm test`: they are run, and counted. With `--install`,
 * the program is brought from Debian's packages where there is none and this user may (`.ci/run`).
 */
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { members, pnpm, run } from "./workspace.mjs"

const cli = members.find(({ manifest }) => manifest.name === "@vigil/cli")

/** Runs the script `test:NAME` of the command, and ends as it did. `debian` is the package of the program, `isThere` looks for it. */
export const runApart = ({ debian, isThere, name }) => {
  if (process.argv.includes("--install") && !isThere() && process.getuid?.() === 0) {
    run("apt-get", ["update"])
    const { printed, status } = run("apt-get", ["install", "--yes", "--no-install-recommends", debian], {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    })
    if (status !== 0) console.log(printed)
  }

  const report = join(cli.folder, `.reports/${name}.json`)
  rmSync(report, { force: true })
  const { status } = pnpm(["--filter", "@vigil/cli", "run", `test:${name}`], { quiet: false })
  const ran = existsSync(report)
  const { numPassedTests = 0, numTotalTests = 0 } = ran ? JSON.parse(readFileSync(report, "utf8")) : {}
  // What did not run has failed, as one; so has a file that could not be read.
  const failed = ran ? Math.max(numTotalTests - numPassedTests, status === 0 ? 0 : 1) : 1
  console.log(`\nTests: ${numPassedTests} passed, ${failed} failed`)
  process.exit(failed === 0 && numPassedTests > 0 ? 0 : 1)
}

/** Whether one of the programs is where Debian has them. */
export const isInstalled = (...programs) => programs.some((program) => existsSync(join("/usr/bin", program)))
