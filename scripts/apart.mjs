/**
 * Tests that need a program of the machine, and so run apart from `npm test`: they are run, and counted. With `--install`,
 * the program is brought from Debian's packages where there is none and this user may (`.ci/run`).
 */
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { members, pnpm, run } from "./workspace.mjs"

/** Runs the script of one member: how many tests have passed, and how many have not. */
const runOne = ({ folder, manifest }, name) => {
  const report = join(folder, `.reports/${name}.json`)
  rmSync(report, { force: true })
  const { status } = pnpm(["--filter", manifest.name, "run", `test:${name}`], { quiet: false })
  const ran = existsSync(report)
  const { numPassedTests = 0, numTotalTests = 0 } = ran ? JSON.parse(readFileSync(report, "utf8")) : {}
  // What did not run has failed, as one; so has a file that could not be read.
  const failed = ran ? Math.max(numTotalTests - numPassedTests, status === 0 ? 0 : 1) : 1
  return { passed: numPassedTests, failed }
}

/** Runs the script `test:NAME` of every member that has it. `debian` is the package of the program, `isThere` looks for it. */
export const runApart = ({ debian, isThere, name }) => {
  if (process.argv.includes("--install") && !isThere() && process.getuid?.() === 0) {
    run("apt-get", ["update"])
    const { printed, status } = run("apt-get", ["install", "--yes", "--no-install-recommends", debian], {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    })
    if (status !== 0) console.log(printed)
  }

  const results = members
    .filter(({ manifest }) => manifest.scripts?.[`test:${name}`] !== undefined)
    .map((member) => runOne(member, name))
  const sum = (of) => results.reduce((total, result) => total + result[of], 0)
  console.log(`\nTests: ${sum("passed")} passed, ${sum("failed")} failed`)
  process.exit(sum("failed") === 0 && results.every(({ passed }) => passed > 0) ? 0 : 1)
}

/** Whether one of the programs is where Debian has them. */
export const isInstalled = (...programs) => programs.some((program) => existsSync(join("/usr/bin", program)))
