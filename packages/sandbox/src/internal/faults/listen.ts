/** A TCP server on loopback, with or without TLS, that leads its connections to an answerer. */
import { createServer, type AddressInfo } from "node:net"
import { createSecureContext, TLSSocket } from "node:tls"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Answerer } from "./answerer.js"
import { certificate, privateKey } from "./certificate.js"

/** Where a server listens, and how to stop it before its scope does. */
export interface Listening {
  readonly origin: string
  readonly stop: Effect.Effect<void>
}

/** The first byte of whoever speaks TLS (RFC 8446, 5.1: a record of type handshake). */
const handshake = 0x16

/** Starts a server. One that speaks TLS leads connections that do not to `plain`. A system without a free port is a defect. */
export const listen = (
  answerer: Answerer,
  options: { readonly tls: boolean; readonly plain: Answerer },
): Effect.Effect<Listening, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<Listening>((resume) => {
      const context = options.tls ? createSecureContext({ cert: certificate, key: privateKey }) : undefined
      let port = 0

      const server = createServer((tcp) => {
        answerer.memory.connection(tcp)
        tcp.setNoDelay(true)
        tcp.on("error", () => tcp.destroy())
        const plain = { tcp, tls: undefined, origin: `http://127.0.0.1:${port}` }
        if (context === undefined) return answerer.accept(plain)
        tcp.once("data", (first: Buffer) => {
          tcp.pause()
          tcp.unshift(first)
          if (first[0] === handshake) {
            const tls = new TLSSocket(tcp, { isServer: true, secureContext: context })
            answerer.accept({ tcp, tls, origin: `https://127.0.0.1:${port}` })
          } else {
            options.plain.accept(plain)
            tcp.resume()
          }
        })
      })

      const stop = Effect.async<void>((done) => {
        // An error here means that it has stopped already.
        server.close(() => done(Effect.void))
        answerer.memory.closeConnections()
      })

      server.once("error", (error) => resume(Effect.die(error)))
      server.listen(0, "127.0.0.1", () => {
        // Of a server that listens on TCP.
        port = (server.address() as AddressInfo).port
        resume(Effect.succeed({ origin: `${options.tls ? "https" : "http"}://127.0.0.1:${port}`, stop }))
      })
    }),
    ({ stop }) => stop,
  )
