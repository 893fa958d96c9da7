/** A token command that counts its runs, and a health service without events. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { vi } from "vitest"
import { makeWorkspace, type Workspace } from "./workspace.js"

/** Creates a script that prints its arguments. `runs` returns how often it ran. */
export const makeScript = (workspace: Workspace) => {
  const folder = dirname(workspace.tokenFile("health"))
  const [file, log] = [join(folder, "print.cjs"), join(folder, "runs")]
  workspace.write(
    file,
    `require("node:fs").appendFileSync(${JSON.stringify(log)}, "x"); console.log(process.argv.slice(2).join(" "))`,
  )
  const runs = () => (existsSync(log) ? readFileSync(log, "utf8").length : 0)
  return { argv: (...output: ReadonlyArray<string>) => [process.execPath, file, ...output], runs }
}

/** `authorization` returns the `Authorization` header of the last request. */
export const scene = Effect.gen(function* () {
  const workspace = yield* makeWorkspace
  const service = yield* Faults.serve(() => Reply.page([]))
  vi.stubEnv("HEALTH_BASE_URL", service.origin)
  vi.stubEnv("HEALTH_SUBSCRIPTION", "s")
  const authorization = Effect.map(service.requests, (all) => all.at(-1)?.headers["authorization"])
  return { workspace, ...service, ...makeScript(workspace), authorization }
})

/** Sets the command in the environment. */
export const stubCommand = (argv: ReadonlyArray<string>) => vi.stubEnv("HEALTH_TOKEN_COMMAND", JSON.stringify(argv))
