/** The HTTP server on loopback. */
import { createServer } from "node:http"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { App } from "./router.js"

/** Above it, `request.text` fails, but receives the rest, so that the client can read the response. */
const maxBodySize = ByteSize.megabytes(1)

/**
 * Not `HttpServer.serve`: the sockets of its listener for upgrades have no error listener. Without it, Node ignores upgrades (RFC 9110,
 * 7.8).
 */
export const serve = Effect.fnUntraced(function* (port: number, application: (baseUrl: string) => App) {
  // An idle connection stays open: a client that reuses one while the server closes it gets a reset.
  const node = createServer({ keepAliveTimeout: 0 })
  const server = yield* NodeHttpServer.make(() => node, { host: "127.0.0.1", port })
  const requests = yield* Scope.fork(yield* Effect.scope)
  yield* Effect.addFinalizer(() =>
    Effect.callback<void>((resume) => {
      node.close(() => resume(Effect.void))
      node.closeAllConnections()
    }),
  )
  const chosen = server.address._tag === "UnixPathAddress" ? port : server.address.port
  const baseUrl = `http://127.0.0.1:${chosen}`
  const app = application(baseUrl).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, maxBodySize),
    // Without it, a request goes on after its connection has ended.
    Effect.interruptible,
  )
  node.on("request", yield* NodeHttpServer.makeHandler(app, { scope: requests }))
  return baseUrl
})
