/** A server on loopback that answers as a test wants it to, and remembers what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"

/** A running server, what it was asked, and how many connections it has open. */
export interface Server {
  readonly url: string
  readonly seen: ReadonlyArray<IncomingMessage>
  readonly connections: Effect.Effect<number>
  readonly stop: () => void
}

/** Starts a server that stops with its scope. */
export const serve = (answer: (request: IncomingMessage, response: ServerResponse) => void) =>
  Effect.acquireRelease(
    Effect.async<Server>((resume) => {
      const seen: Array<IncomingMessage> = []
      const server = createServer((request, response) => {
        seen.push(request)
        answer(request, response)
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        const connections = Effect.async<number>(
          (count) => void server.getConnections((_, open) => count(Effect.succeed(open))),
        )
        const stop = () => {
          server.closeAllConnections()
          server.close()
        }
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, seen, connections, stop }))
      })
    }),
    ({ stop }) => Effect.sync(stop),
  )

/** Answers with a status, a body and headers. */
export const say =
  (status: number, body: string | Buffer = "", headers: Record<string, string> = {}) =>
  (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, headers).end(body)
  }
