/**
 * `pnpm openapi:lint`: starts the built sandbox, and lints the OpenAPI documents that it serves with the default rules of Redocly and
 * of Spectral. Warnings count too.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { scratch } from "./copy.mjs"
import { environment, tool } from "./workspace.mjs"

const sandbox = new URL("../packages/sandbox/", import.meta.url)
const [Effect, { make }] = await Promise.all(
  ["node_modules/effect/dist/esm/Effect.js", "dist/Sandbox.js"].map((file) => import(new URL(file, sandbox))),
)

const folder = scratch("openapi")
const documents = { "health.json": "/health/openapi.json", "app-management.json": "/v0.1/openapi.json" }
const names = Object.keys(documents)

/** Writes the documents. The vendor is not the default one, so that nothing of that one is left in them. */
const write = ({ baseUrl }) =>
  Effect.promise(() =>
    Promise.all(
      Object.entries(documents).map(async ([name, path]) =>
        writeFileSync(join(folder, name), await (await fetch(baseUrl + path)).text()),
      ),
    ),
  )
await Effect.runPromise(Effect.scoped(Effect.flatMap(make({ vendor: "Acme" }), write)))
writeFileSync(join(folder, "spectral.json"), JSON.stringify({ extends: "spectral:oas" }))

const options = {
  cwd: folder,
  env: { ...environment, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
}
/** What the linters say of a document; nothing of a clean one. */
const problems = (name) => {
  const redocly = tool("redocly", ["lint", "--extends=recommended", "--format=json", name], options)
  const { errors, warnings } = redocly.status === 0 ? JSON.parse(redocly.stdout).totals : { errors: 1, warnings: 0 }
  const spectral = tool("spectral", ["lint", "--ruleset=spectral.json", "--fail-severity=hint", name], options)
  return (errors + warnings === 0 ? "" : redocly.printed) + (spectral.status === 0 ? "" : spectral.printed)
}

const found = names.map(problems).join("")
console.log(found === "" ? `${names.length} documents are clean.` : found)
process.exit(found === "" ? 0 : 1)
