/** The HTTP server of a fault: responds by a script, and records all received data. */
import { EventEmitter, once } from "node:events"
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { buffer } from "node:stream/consumers"
import { createSecureContext, TLSSocket } from "node:tls"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Reply from "../../Reply.js"
import { certificate, privateKey } from "../certificate.js"
import { write } from "./write.js"

const nothingLeft = Reply.text("The script of this fault server has no reply.\n", { status: 500 })

const choose = (script: Reply.Script, request: Reply.Request, index: number): Effect.Effect<Reply.Reply> =>
  Effect.suspend(() => {
    const reply =
      typeof script === "function" ? script(request, index) : (script[index] ?? script.at(-1) ?? nothingLeft)
    return Effect.isEffect(reply) ? reply : Effect.succeed(reply)
  }).pipe(
    Effect.catchDefect((defect) =>
      Effect.succeed(
        Reply.text(`The script of this fault server failed: ${Cause.pretty(Cause.die(defect))}\n`, { status: 500 }),
      ),
    ),
  )

export const make = Effect.fnUntraced(function* (script: Reply.Script) {
  const run = yield* FiberSet.makeRuntime<never>()
  const changes = new EventEmitter().setMaxListeners(0)
  const requests: Array<Reply.Request> = []
  const received: Array<string> = []
  const connections = new Set<Socket>()

  const respond = Effect.fnUntraced(function* (incoming: IncomingMessage, response: ServerResponse, tcp: Socket) {
    const { headers, method = "", socket, url = "" } = incoming
    const secure = socket instanceof TLSSocket
    const origin = `${secure ? "https" : "http"}://127.0.0.1:${tcp.localPort}`
    const body = yield* Effect.promise(() => buffer(incoming))
    const texts = Object.fromEntries(Object.entries(headers).map(([name, value = ""]) => [name, String(value)]))
    const request = { method, target: url, headers: texts, body: body.toString(), origin, secure }
    const index = requests.push(request) - 1
    changes.emit("change")
    yield* write(yield* choose(script, request, index), response, tcp)
  })

  const accept = (tcp: Socket, tls?: TLSSocket): void => {
    const socket = tls ?? tcp
    const http = createHttpServer({
      joinDuplicateHeaders: true,
      keepAliveTimeout: 0,
      maxHeaderSize: 1_048_576,
      requireHostHeader: false,
    })
    http.on("request", (request, response) => {
      const fiber = run(respond(request, response, tcp))
      response.once("close", () => fiber.interruptUnsafe())
    })
    http.emit("connection", socket)
    // After the HTTP server has its listener: otherwise it would read from the handle, and the socket would emit nothing.
    socket.on("data", (bytes: Buffer) => received.push(bytes.toString("latin1")))
  }

  const until = <A>(find: () => A | undefined): Effect.Effect<A> =>
    Effect.suspend(() => {
      const found = find()
      if (found !== undefined) return Effect.succeed(found)
      return Effect.andThen(
        Effect.promise((signal) => once(changes, "change", { signal })),
        until(find),
      )
    })

  return {
    accept,
    track: (socket: Socket): void => {
      connections.add(socket)
      socket.once("close", () => {
        connections.delete(socket)
        changes.emit("change")
      })
    },
    closeConnections: (): void => {
      for (const socket of connections) socket.destroy()
    },
    memory: {
      requests: Effect.sync((): ReadonlyArray<Reply.Request> => [...requests]),
      awaitRequests: (count: number) => until(() => requests[count - 1]),
      bytes: Effect.sync(() => received.join("")),
      connections: Effect.sync(() => connections.size),
      awaitConnections: (count: number) => Effect.asVoid(until(() => connections.size <= count || undefined)),
    },
  }
})

export type Responder = Effect.Success<ReturnType<typeof make>>

/** The first byte of a TLS connection: the record type "handshake" (RFC 8446, 5.1). */
const handshake = 0x16

/** Listens on a free port of loopback. A TLS server passes connections without TLS to `plain`. Dies if no port is free. */
export const listen = (responder: Responder, options: { readonly tls: boolean; readonly plain: Responder }) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const secureContext = options.tls ? createSecureContext({ cert: certificate, key: privateKey }) : undefined
      const server = createServer({ noDelay: true }, (tcp) => {
        responder.track(tcp)
        tcp.on("error", () => tcp.destroy())
        if (!options.tls) return responder.accept(tcp)
        tcp.once("data", (first: Buffer) => {
          tcp.pause()
          tcp.unshift(first)
          if (first[0] === handshake)
            return responder.accept(
              tcp,
              new TLSSocket(tcp, { isServer: true, ...(secureContext && { secureContext }) }),
            )
          options.plain.accept(tcp)
          tcp.resume()
        })
      })
      const stop = Effect.callback<void>((done) => {
        server.close(() => done(Effect.void))
        responder.closeConnections()
      })
      await once(server.listen(0, "127.0.0.1"), "listening")
      const { port } = server.address() as AddressInfo
      return { origin: `${options.tls ? "https" : "http"}://127.0.0.1:${port}`, stop }
    }),
    ({ stop }) => stop,
  )
