/** How mutants are tested: as `npm test` tests the package, with fewer runs of its properties (PROPERTY_RUNS). */
import { defineConfig } from "vitest/config"

const conditions = ["@vigil/source", "module", "node", "development|production"]

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Examples are for readers.
  test: { include: ["test/**/*.test.ts"], exclude: ["test/examples.test.ts"], testTimeout: 5_000 },
})
