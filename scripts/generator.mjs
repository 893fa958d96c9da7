/**
 * Runs the shell commands of the recipe for generated clients, on the document that the sandbox serves, and compares the result with
 * `examples/AppManagement.ts`, which the tests compile and run. Installs the generator from npm. Needs a build. `--write` writes the example.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { startSandbox } from "./sandbox.mjs"
import { need, root, scratch } from "./workspace.mjs"

const folder = scratch("generator")
const { SERVICE_BASE_URL: baseUrl } = await startSandbox(join(root, "packages/sandbox"))
const document = await (await fetch(`${baseUrl}/v0.1/openapi.json`)).json()
// The port of the sandbox differs each time.
writeFileSync(join(folder, "openapi.json"), JSON.stringify({ ...document, servers: [] }))

const recipe = readFileSync(join(root, "docs/recipes/http-api.md"), "utf8")
const commands = Array.from(recipe.matchAll(/```sh\n([\s\S]*?)```/g), ([, text]) => text)
const found = commands.filter((text) => text.includes("openapigen"))
if (found.length !== 1) throw new Error(`docs/recipes/http-api.md has ${found.length} blocks that run openapigen.`)
need("bash", ["-e", "-o", "pipefail", "-c", found[0]], { cwd: folder })

const generated = join(folder, "AppManagement.ts")
need("oxfmt", ["--config", join(root, ".oxfmtrc.json"), generated], { cwd: folder })
const example = join(root, "packages/recipes/examples/AppManagement.ts")
const text = readFileSync(generated, "utf8")
if (process.argv.includes("--write")) writeFileSync(example, text)
else if (readFileSync(example, "utf8") !== text)
  throw new Error("The generator writes another client. Run `node scripts/generator.mjs --write`.")
// The sandbox runs until the process ends.
process.exit()
