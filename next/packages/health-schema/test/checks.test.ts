import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { generate } from "./generateChecks.js"

it("the generated checks are those of the schemas", async () => {
  const file = fileURLToPath(new URL("../src/internal/checks.ts", import.meta.url))
  await expect(generate()).toMatchFileSnapshot(file)
})
