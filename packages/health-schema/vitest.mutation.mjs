/** How mutants are tested: as `npm test` tests the package, with fewer runs of its properties (PROPERTY_RUNS). */
import { defineConfig } from "vitest/config"

const conditions = ["@vigil/source", "module", "node", "development|production"]

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Types are not mutated, and examples are for readers.
  test: { include: ["test/**/*.test.ts"], exclude: ["test/types.test.ts"], testTimeout: 60_000 },
})
