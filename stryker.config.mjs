/** How `pnpm mutation` changes a package's sources in many small ways, and shows which of them no test notices. */
export default {
  mutate: ["src/**/*.ts"],
  plugins: ["@stryker-mutator/vitest-runner"],
  testRunner: "vitest",
  vitest: { configFile: "../../vitest.mutation.mjs", related: false },
  coverageAnalysis: "perTest",
  // Stryker would read and rewrite a tsconfig with a compiler that TypeScript 7 does not have; nothing here needs it to.
  tsconfigFile: "none",
  reporters: ["clear-text", "json", "progress-append-only"],
  clearTextReporter: { allowColor: false, logTests: false },
  jsonReporter: { fileName: ".reports/mutation.json" },
  inPlace: true,
  thresholds: { high: 95, low: 85, break: Number(process.env.MUTATION_SCORE ?? 80) },
  // A list that no longer ends is found by this alone.
  timeoutMS: 10_000,
}
