/**
 * `pnpm --filter @vigil/paging exec stryker run ../../stryker.config.mjs` changes the sources of a package in many small ways and lists the
 * changes that no test notices. It works in place: run it in a clone.
 */
// Fewer runs of each property, and one HTTP client instead of three.
Object.assign(process.env, { PROPERTY_RUNS: "100", HTTP_LAYERS: "node", VIGIL_MUTATION: "1" })

export default {
  // Generated code is compared with its generator.
  mutate: ["src/**/*.ts", "!src/internal/checks.ts"],
  plugins: ["@stryker-mutator/vitest-runner"],
  testRunner: "vitest",
  vitest: { configFile: "../../vitest.config.mjs", related: false },
  coverageAnalysis: "perTest",
  // Stryker would rewrite the tsconfig with a compiler API that TypeScript 7 does not have.
  tsconfigFile: "none",
  reporters: ["clear-text", "json", "progress-append-only"],
  clearTextReporter: { allowColor: false, logTests: false },
  jsonReporter: { fileName: ".reports/mutation.json" },
  inPlace: true,
  thresholds: { high: 95, low: 85, break: 80 },
  // Only this timeout ends a mutant that loops.
  timeoutMS: 10_000,
}
