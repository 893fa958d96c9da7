/**
 * Lints the OpenAPI documents that the sandbox serves, with the recommended rules of Redocly and Spectral. Fails on warnings
 * too. Needs a build.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { startSandbox } from "./sandbox.mjs"
import { need, root, scratch } from "./workspace.mjs"

const folder = scratch("openapi")
const documents = { "health.json": "/health/openapi.json", "app-management.json": "/v0.1/openapi.json" }

// A vendor other than the default reveals hard-coded vendor names.
const { HEALTH_BASE_URL: baseUrl } = await startSandbox(join(root, "packages/sandbox"), { vendor: "Acme" })
for (const [name, path] of Object.entries(documents))
  writeFileSync(join(folder, name), await (await fetch(baseUrl + path)).text())

writeFileSync(join(folder, "spectral.json"), JSON.stringify({ extends: "spectral:oas" }))
for (const name of Object.keys(documents)) {
  need("spectral", ["lint", "--ruleset=spectral.json", "--fail-severity=hint", name], { cwd: folder })
  const { totals } = JSON.parse(
    need("redocly", ["lint", "--extends=recommended", "--format=json", name], { cwd: folder }),
  )
  if (totals.warnings > 0) throw new Error(need("redocly", ["lint", "--extends=recommended", name], { cwd: folder }))
}
// The sandbox runs until the process ends.
process.exit()
