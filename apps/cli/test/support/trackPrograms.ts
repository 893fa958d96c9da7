/** Detects when programs start and end: each keeps a connection to the test open. */
import { createServer, type Server } from "node:net"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

/**
 * `script` is a script for Node that connects and then never ends. When `count` programs are connected, `awaitStart` ends and `onStart` is
 * called. When all are disconnected, `awaitEnd` ends.
 */
export const trackPrograms = (count: number, onStart: () => void = () => undefined) =>
  Effect.gen(function* () {
    const [started, ended] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    let open = 0
    const server = createServer((socket) => {
      open += 1
      if (open === count) {
        Deferred.doneUnsafe(started, Effect.void)
        onStart()
      }
      socket.on("error", () => undefined)
      socket.on("close", () => {
        open -= 1
        if (open === 0) Deferred.doneUnsafe(ended, Effect.void)
      })
      socket.resume()
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.sync(() => server.close()),
    )
    return {
      script: `require("node:net").connect(${portOf(server)}, "127.0.0.1")`,
      awaitStart: Deferred.await(started),
      awaitEnd: Deferred.await(ended),
    }
  })
