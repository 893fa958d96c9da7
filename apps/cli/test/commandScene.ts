/** A service that lists nothing, and a token command whose runs are counted. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { vi } from "vitest"
import { type Place, place } from "./ground.js"

/** A script that records its runs, and prints its arguments. */
export const script = (here: Place) => {
  const folder = dirname(here.tokenFile("health"))
  const [file, log] = [join(folder, "print.cjs"), join(folder, "runs")]
  here.write(
    file,
    `require("node:fs").appendFileSync(${JSON.stringify(log)}, "x"); console.log(process.argv.slice(2).join(" "))`,
  )
  const runs = () => (existsSync(log) ? readFileSync(log, "utf8").length : 0)
  return { argv: (...output: ReadonlyArray<string>) => [process.execPath, file, ...output], runs }
}

export const scene = Effect.gen(function* () {
  const here = yield* place
  const service = yield* Faults.serve(() => Reply.page([]))
  vi.stubEnv("HEALTH_BASE_URL", service.origin)
  vi.stubEnv("HEALTH_SUBSCRIPTION", "s")
  const sent = Effect.map(service.requests, (all) => all.at(-1)?.headers["authorization"])
  return { here, ...service, ...script(here), sent }
})

/** Sets the command in the environment. */
export const stub = (argv: ReadonlyArray<string>) => vi.stubEnv("HEALTH_TOKEN_COMMAND", JSON.stringify(argv))
