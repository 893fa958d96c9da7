/** An HTTP server with small limits, which stops with its scope. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { isIPv6 } from "node:net"
import * as Effect from "effect/Effect"
import * as Defect from "../output/Defect.js"
import { note, type Output } from "../output/Output.js"
import * as Listen from "./Listen.js"

/** In milliseconds. `idle`: for a response that its reader does not take. */
const timeouts = { headers: 10_000, request: 15_000, keepAlive: 5_000, idle: 90_000, closing: 1_000 }

/** In bytes. */
const maxHeaderSize = 8 * 1024

export interface Options {
  readonly host: string
  readonly port: number
  readonly maxConnections: number
  /** An exception, or the rejection of a promise, is noted, and ends only its request. */
  readonly respond: (request: IncomingMessage, response: ServerResponse) => unknown
}

/** Requests in progress have a moment to complete. */
const close = (server: Server): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const timer = setTimeout(() => server.closeAllConnections(), timeouts.closing)
    server.close(() => {
      clearTimeout(timer)
      resume(Effect.void)
    })
    server.closeIdleConnections()
  })

/** Starts the server and returns its URL. Port 0 is any free port. Fails with `UsageError` if it cannot listen. */
export const listen = Effect.fnUntraced(function* (options: Options) {
  const { host, maxConnections, respond } = options
  const runFork = Effect.runForkWith(yield* Effect.context<Output>())
  const server = createServer({
    maxHeaderSize,
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.keepAlive,
  })
  server.maxConnections = maxConnections
  server.setTimeout(timeouts.idle)
  server.on("request", (request, response) => {
    response.on("error", () => response.destroy())
    const run = async () => respond(request, response)
    run().catch((error: unknown) => {
      const [path] = (request.url ?? "").split("?", 1)
      runFork(note(`vigil: No response to ${request.method} ${path}. ${Defect.make(error).message}`))
      if (response.headersSent) response.destroy()
      else response.writeHead(500, { "cache-control": "no-store" }).end()
    })
  })
  const describeOther = (code: string) =>
    `The server cannot listen on ${JSON.stringify(host)} (${code}). Pass an address of this machine as --host.`
  const port = yield* Listen.listen(server, options, close(server), describeOther)
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}/`
})
