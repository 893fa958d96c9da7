/** How tests run that need more than Node: apart from the others, one file after the other. */
import { mergeConfig } from "vitest/config"
import shared from "./vitest.shared.mjs"

const { include: _, reporters: __, ...test } = shared.test

/** Those that need a thing of this name, in `test/NAME/*.NAME.ts`. */
export const apart = (name) =>
  mergeConfig(
    { ...shared, test },
    {
      test: {
        include: [`test/${name}/**/*.${name}.ts`],
        reporters: ["dot", ["json", { outputFile: `.reports/${name}.json` }]],
        fileParallelism: false,
      },
    },
  )
