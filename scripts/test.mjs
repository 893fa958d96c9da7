/** `npm test`: installs what is missing, runs every test of every package, and says how many there were. */
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { members, pnpm } from "./workspace.mjs"

const report = (folder) => join(folder, ".reports/tests.json")
for (const { folder } of members) rmSync(report(folder), { force: true })

const { status } = pnpm(["run", "test:packages", ...process.argv.slice(2)], { quiet: false })

let [passed, failed] = [0, 0]
console.log()
for (const { folder, manifest } of members) {
  const file = report(folder)
  const { numPassedTests = 0, numTotalTests = 0 } = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {}
  passed += numPassedTests
  failed += numTotalTests - numPassedTests
  console.log(`${manifest.name.padEnd(24)}${String(numPassedTests).padStart(6)} of ${numTotalTests} tests passed`)
}
console.log(`\nTests: ${passed} passed, ${failed} failed`)
process.exit(status === 0 && (failed > 0 || passed === 0) ? 1 : status)
