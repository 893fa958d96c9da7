/** How every package runs its tests: from source, in Node, with a report that the root counts. */
import { defaultServerConditions } from "vite"
import { defineConfig } from "vitest/config"

const conditions = ["@vigil/source", ...defaultServerConditions]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["test/**/*.test.ts"],
    reporters: ["dot", ["json", { outputFile: ".reports/tests.json" }]],
  },
})
