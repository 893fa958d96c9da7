/** How a package's tests are run against mutants: as `npm test` runs them, in short (PROPERTY_RUNS, HTTP_LAYERS). */
import { defineConfig, mergeConfig } from "vitest/config"
import shared from "./vitest.shared.mjs"

export default mergeConfig(
  shared,
  defineConfig({
    root: process.cwd(),
    // Types are not mutated, and examples are for readers.
    test: { exclude: ["test/types.test.ts", "test/examples.test.ts"], testTimeout: 60_000 },
  }),
)
