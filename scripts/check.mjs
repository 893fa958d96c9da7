/**
 * `.ci/run`: every check in turn, each with its time, and all that a failed one printed. Counts each test and each
 * check; the last line is `N passed, N failed`.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { since } from "./since.mjs"
import { pnpm, root, run } from "./workspace.mjs"

const script = (name, ...args) => run(process.execPath, [join(root, `scripts/${name}.mjs`), ...args])

const payloads = join(root, "../shared/payloads")

/** What is run, by name. The order is that of what needs what. */
const checks = [
  ["install, frozen", () => pnpm(["install", "--frozen-lockfile"])],
  ["npm test", () => run("npm", ["test"])],
  ["types", () => pnpm(["run", "types"])],
  ["lint", () => pnpm(["run", "lint"])],
  ["format", () => pnpm(["run", "format"])],
  ["layers", () => script("layers")],
  ["layers: planted imports are caught", () => script("layers-prove")],
  ["unused code and dependencies", () => pnpm(["run", "unused"])],
  ["build", () => pnpm(["run", "build"])],
  ["OpenAPI documents: Redocly, Spectral", () => script("openapi-lint")],
  ["API reports", () => script("api", "--check", `--since=${since()}`)],
  ["API reports: planted changes are caught", () => script("api-prove")],
  ["docs: nothing is undocumented", () => script("docs-count")],
  ["docs: the site builds, its links lead somewhere", () => script("docs")],
  ["documents show their examples", () => script("readme-examples")],
  ["READMEs name every option and error", () => script("readme-names")],
  ["install lines of documents", () => script("install-lines")],
  ["links of documents", () => script("links")],
  ["browser tests", () => script("browser", "--install")],
  ["terminal tests", () => script("terminal", "--install")],
  ["npm start", () => script("main-job")],
  ["conformance, own fixtures", () => script("conformance", "packages/health-schema/test/fixtures")],
  ...(existsSync(payloads) ? [["conformance, real payloads", () => script("conformance", payloads)]] : []),
  ["packages: publint, attw, contents", () => script("package-lint")],
  ["peers: lowest versions", () => script("peers")],
  ["bundle sizes", () => script("size")],
  ["workflows", () => script("workflows")],
  ["pnpm: its hash", () => script("pnpm-hash")],
  ["changesets", () => script("changesets")],
  ["changesets: a change without one is caught", () => script("changesets-prove")],
  ["a release, to a registry on this machine", () => script("release-dry")],
]

let [passed, failed] = [0, 0]
for (const [index, [name, check]] of checks.entries()) {
  const start = performance.now()
  const { printed, status } = check()
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(6)
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${seconds} s  ${name}`)
  const tests = /^Tests: (\d+) passed, (\d+) failed$/m.exec(printed)
  passed += Number(tests?.[1] ?? 0) + (status === 0 ? 1 : 0)
  failed += Number(tests?.[2] ?? 0) + (status === 0 ? 0 : 1)
  if (name === "bundle sizes" && status === 0) console.log(printed.trimEnd().replace(/^/gm, "               "))
  if (tests !== null) console.log(`               ${tests[1]} tests passed, ${tests[2]} failed`)
  if (status !== 0) console.log(printed)
  // Without dependencies, every other check would fail for the same reason. Another pnpm must not run.
  if (status !== 0 && index <= 1) break
}

console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
