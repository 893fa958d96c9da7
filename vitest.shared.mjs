/** How every package runs its tests: from source, in Node, with a report that the root counts. */
import { defineConfig } from "vitest/config"

/** Vite's own conditions for a server, and before them the one that leads to a sibling's source. */
const conditions = ["@vigil/source", "module", "node", "development|production"]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Ten thousand runs of a property, on a slow machine.
    testTimeout: 180_000,
    include: ["test/**/*.test.ts"],
    reporters: ["dot", ["json", { outputFile: ".reports/tests.json" }]],
  },
})
