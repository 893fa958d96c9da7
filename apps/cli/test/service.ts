/** A health service on loopback that answers every list with the given bodies in turn. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"

/** Starts it for the scope; hands back its address. */
export const service = (...answers: ReadonlyArray<{ readonly status?: number; readonly body: string }>) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<{ readonly port: number; readonly stop: () => void }>((resume) => {
        const queue = [...answers]
        const server = createServer((_, response) => {
          const { body, status = 200 } = queue.shift() ?? { body: "", status: 500 }
          response.writeHead(status).end(body)
        })
        server.listen(0, "127.0.0.1", () => {
          const stop = () => {
            server.closeAllConnections()
            server.close()
          }
          resume(Effect.succeed({ port: (server.address() as AddressInfo).port, stop }))
        })
      }),
      ({ stop }) => Effect.sync(stop),
    ),
    ({ port }) => `http://127.0.0.1:${port}`,
  )
