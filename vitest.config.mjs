/**
 * How tests run, for the repository and for one package: from source, in Node.js. `--mode browser`, `--mode terminal`, `--mode prometheus`
 * and `--mode fleet` run the tests that need Chromium, tmux, promtool and Alertmanager, or Postgres instead. `--mode runtimes` installs Bun, Deno
 * and workerd in a cache, and runs tests on them. `--mode deep` runs each property
 * 10,000 times or for 30 seconds, and tests with larger inputs; `--mode fleet-deep` does so for the fleet.
 */
import { existsSync } from "node:fs"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/** Vite's conditions for a server, and first the one that leads to the source of another package. */
const conditions = ["@vigil/source", "module", "node", "development|production"]

const chromium = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
  .map((name) => `/usr/bin/${name}`)
  .concat(
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  )

/** Each worker has its own Postgres server. With more workers, runners hang for longer than their leases on two cores. */
const fleet = { include: ["**/test/fleet/*.fleet.ts"], maxWorkers: 2 }

/** What differs between modes. The default mode of vitest is `test`. A browser or a terminal is used by one test file at a time. */
const modes = {
  deep: { env: { PROPERTY_RUNS: "10000", LARGE_INPUTS: "1" }, testTimeout: 1_800_000 },
  browser: {
    include: ["**/test/browser/*.browser.ts"],
    env: { CHROMIUM_PATH: process.env.CHROMIUM_PATH ?? chromium.find(existsSync) ?? "" },
    maxWorkers: 1,
  },
  terminal: { include: ["**/test/terminal/*.terminal.ts"], maxWorkers: 1 },
  prometheus: { include: ["**/test/prometheus/*.prometheus.ts"] },
  // Prints what ran where.
  runtimes: {
    include: ["**/test/runtimes/*.runtimes.ts"],
    maxWorkers: 1,
    reporters: ["verbose"],
    silent: false,
  },
  fleet,
  "fleet-deep": { ...fleet, env: { LARGE_INPUTS: "1" } },
}

/**
 * Examples are for readers, and mutants that only the long fault suite kills do not count. The tests of
 * generated code and of imports fail once Stryker has changed a source.
 */
const mutation = [
  ...["examples", "faults/list", "checks", "imports"].map((name) => `test/**/${name}.test.ts`),
  // Copies of the tests, which test the original sources.
  "**/.stryker-tmp/**",
]

export default defineConfig(({ mode }) => ({
  root: process.cwd(),
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Each worker imports a module once, not once per test file.
    isolate: false,
    // One more worker than cores, because tests also wait.
    maxWorkers: availableParallelism() + 1,
    // Collecting garbage less often takes a tenth of the time.
    execArgv: ["--max-semi-space-size=64"],
    setupFiles: [fileURLToPath(new URL("packages/testing/src/setup.ts", import.meta.url))],
    // Ends tests that hang. It is longer than any test takes on a slow machine, and longer than the time limit of a property.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Concurrent tests wait for timeouts.
    maxConcurrency: 20,
    include: ["**/test/**/*.test.{ts,mjs}"],
    exclude: ["**/node_modules/**", ...(process.env.VIGIL_MUTATION === undefined ? [] : mutation)],
    reporters: ["dot"],
    // Only tests that fail print what they log.
    silent: "passed-only",
    ...modes[mode],
  },
}))
