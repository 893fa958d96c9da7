/** How the tests in a real terminal run: apart from the others. */
import { mergeConfig } from "vitest/config"
import shared from "../../vitest.shared.mjs"

const { include: _, reporters: __, ...test } = shared.test

export default mergeConfig(
  { ...shared, test },
  {
    test: {
      include: ["test/terminal/**/*.terminal.ts"],
      reporters: ["dot", ["json", { outputFile: ".reports/terminal.json" }]],
      fileParallelism: false,
    },
  },
)
