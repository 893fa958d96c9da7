/** A server on loopback that answers as a test wants it to, and remembers what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"

/** Starts a server that stops with its scope. */
export const serve = (answer: (request: IncomingMessage, response: ServerResponse) => void) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly seen: ReadonlyArray<IncomingMessage>; readonly stop: () => void }>(
      (resume) => {
        const seen: Array<IncomingMessage> = []
        const server = createServer((request, response) => {
          seen.push(request)
          answer(request, response)
        })
        server.listen(0, "127.0.0.1", () => {
          const { port } = server.address() as AddressInfo
          const stop = () => {
            server.closeAllConnections()
            server.close()
          }
          resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, seen, stop }))
        })
      },
    ),
    ({ stop }) => Effect.sync(stop),
  )

/** Answers with a status, a body and headers. */
export const say =
  (status: number, body: string | Buffer = "", headers: Record<string, string> = {}) =>
  (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, headers).end(body)
  }
