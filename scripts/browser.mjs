/**
 * `npm run test:browser`: the tests in a real browser, and how many there were. With `--install`, Chromium is brought from
 * Debian's packages where there is none and this user may (`.ci/run`); else a machine without one is told how to get it.
 */
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { members, pnpm, run } from "./workspace.mjs"

const cli = members.find(({ manifest }) => manifest.name === "@vigil/cli")
const report = join(cli.folder, ".reports/browser.json")

const isThere = () =>
  process.env.CHROMIUM_PATH !== undefined ||
  ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].some((name) =>
    existsSync(join("/usr/bin", name)),
  )

if (process.argv.includes("--install") && !isThere() && process.getuid?.() === 0) {
  run("apt-get", ["update"])
  const { printed, status } = run("apt-get", ["install", "--yes", "--no-install-recommends", "chromium"], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  })
  if (status !== 0) console.log(printed)
}

rmSync(report, { force: true })
const { status } = pnpm(["--filter", "@vigil/cli", "run", "test:browser"], { quiet: false })
const ran = existsSync(report)
const { numPassedTests = 0, numTotalTests = 0 } = ran ? JSON.parse(readFileSync(report, "utf8")) : {}
// What did not run has failed, as one; so has a file that could not be read.
const failed = ran ? Math.max(numTotalTests - numPassedTests, status === 0 ? 0 : 1) : 1
console.log(`\nTests: ${numPassedTests} passed, ${failed} failed`)
process.exit(failed === 0 && numPassedTests > 0 ? 0 : 1)
