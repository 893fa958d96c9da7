/** `npm test`: installs what is missing, runs every test of every package, and says how many there were. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pnpm, root } from "./pnpm.mjs"

const status = pnpm(["exec", "turbo", "run", "test", "--output-logs=new-only", ...process.argv.slice(2)])

const places = ["packages", "apps"].flatMap((folder) =>
  readdirSync(join(root, folder)).map((name) => join(root, folder, name)),
)
const reports = places.map((place) => {
  const file = join(place, ".reports/tests.json")
  const { name } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"))
  return existsSync(file) ? { name, ...JSON.parse(readFileSync(file, "utf8")) } : { name }
})

let [passed, failed] = [0, 0]
console.log()
for (const { name, numFailedTests = 0, numPassedTests = 0, numTotalTests = 0 } of reports) {
  passed += numPassedTests
  failed += numTotalTests - numPassedTests
  console.log(`${name.padEnd(24)}${String(numPassedTests).padStart(6)} passed${String(numFailedTests).padStart(6)} failed`)
}
console.log(`\nTests: ${passed} passed, ${failed} failed`)
process.exit(status !== 0 ? status : failed === 0 && passed > 0 ? 0 : 1)
