/** How the tests in a real browser run: apart from the others, one after the other. */
import { mergeConfig } from "vitest/config"
import shared from "./vitest.shared.mjs"

const { include: _, reporters: __, ...test } = shared.test

export default mergeConfig(
  { ...shared, test },
  {
    test: {
      include: ["test/browser/**/*.browser.ts"],
      reporters: ["dot", ["json", { outputFile: ".reports/browser.json" }]],
      fileParallelism: false,
    },
  },
)
