/** `npm test`: installs what is missing, runs every test of every package, and says how many there were. */
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { members, pnpm } from "./workspace.mjs"

const report = (folder) => join(folder, ".reports/tests.json")
for (const { folder } of members) rmSync(report(folder), { force: true })

const args = ["run", "test:packages", "--continue", "--output-logs=new-only", ...process.argv.slice(2)]
const { status } = pnpm(args, { quiet: false })

let [passed, failed] = [0, 0]
console.log()
for (const { folder, manifest } of members) {
  const file = report(folder)
  const ran = existsSync(file)
  const { numPassedTests = 0, numTotalTests = 0 } = ran ? JSON.parse(readFileSync(file, "utf8")) : {}
  passed += numPassedTests
  // What did not run has failed, as one.
  failed += ran ? numTotalTests - numPassedTests : 1
  console.log(
    `${manifest.name.padEnd(24)}${ran ? `${String(numPassedTests).padStart(6)} of ${numTotalTests} tests passed` : " did not run"}`,
  )
}
if (status !== 0 && failed === 0) failed = 1
console.log(`\nTests: ${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)
