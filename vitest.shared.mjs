/** How every package runs its tests: from source, in Node, with a report that the root counts. */
import { defineConfig } from "vitest/config"

/** Vite's own conditions for a server, and before them the one that leads to a sibling's source. */
const conditions = ["@vigil/source", "module", "node", "development|production"]

/** How often each property runs. The time limit is there because vitest gives up on a thread that is busy for a minute. */
const runs = process.env.DEEP === "1" ? { numRuns: 10_000, interruptAfterTimeLimit: 30_000 } : { numRuns: 300 }

/** Configures fast-check in the test files that import it. A setup file would load it in every test file, which is slow. */
const propertyRuns = {
  name: "property-runs",
  transform: (code, id) =>
    id.endsWith(".test.ts") && code.includes(`"effect/FastCheck"`)
      ? {
          code: `${code}\nimport * as Runs from "effect/FastCheck"\nRuns.configureGlobal(${JSON.stringify(runs)})`,
          map: null,
        }
      : undefined,
}

export default defineConfig({
  plugins: [propertyRuns],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Ten thousand runs of a property, on a slow machine.
    testTimeout: 180_000,
    include: ["test/**/*.test.ts"],
    reporters: ["dot", ["json", { outputFile: ".reports/tests.json" }]],
  },
})
