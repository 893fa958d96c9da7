/** The probes of a runner: whether it runs, and whether it can work. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Problem } from "@vigil/health-fleet/Fleet"
import * as Effect from "effect/Effect"
import * as Server from "../listen/Server.js"

/** `undefined` until the runner has joined the fleet. */
type Problems = Effect.Effect<ReadonlyArray<Problem>> | undefined

const maxConnections = 100

/** Without causes: a probe requires no token, and causes contain the address of the database. */
const describe = (problems: ReadonlyArray<Problem>): string =>
  `The runner cannot ${problems.map(({ attempt }) => attempt).join(", ")}. Its log has the cause.`

/**
 * Responds to `/healthz` and `/readyz` until the scope closes. A runner that waits to join is ready: otherwise, a rollout would never end the
 * runners that it waits for.
 */
export const listen = (options: { readonly host: string; readonly port: number }, problems: () => Problems) => {
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    const send = (status: number, text: string) =>
      response
        .writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" })
        .end(`${text}\n`)
    const [path] = (request.url ?? "").split("?", 1)
    if (path === "/healthz") return send(200, "alive")
    if (path !== "/readyz") return send(404, "Paths: /healthz /readyz")
    const current = problems()
    if (current === undefined) return send(200, "ready, and waiting to join the fleet")
    const found = Effect.runSync(current)
    return found.length === 0 ? send(200, "ready") : send(503, describe(found))
  }
  return Server.listen({ ...options, maxConnections, respond })
}
