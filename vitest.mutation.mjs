/** How a package's tests are run against mutants: as `npm test` runs them, in short (PROPERTY_RUNS, HTTP_LAYERS). */
import { defineConfig, mergeConfig } from "vitest/config"
import shared from "./vitest.shared.mjs"

export default mergeConfig(
  shared,
  defineConfig({
    root: process.cwd(),
    test: {
      // Types are not mutated, examples are for readers, and what the long list of faults alone would notice is not counted.
      exclude: ["test/types.test.ts", "test/examples.test.ts", "test/faults/list.test.ts"],
      testTimeout: 60_000,
    },
  }),
)
