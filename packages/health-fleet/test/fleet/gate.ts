/** A proxy between runners and the service that can delay, break or suspend connections. */
import { connect, createServer, type Server, type Socket } from "node:net"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"

/** `down`: closes all connections, and new ones at once. `hung`: forwards nothing. */
type Mode = "down" | "hung" | "open"

interface Gate {
  readonly baseUrl: string
  readonly set: (mode: Mode) => void
}

/** Forwards connections to a URL. `delay` returns how long each part of a response takes, in milliseconds. */
export const startGate = (target: string, delay: () => number) =>
  Effect.gen(function* () {
    const { hostname, port } = new URL(target)
    const sockets = new Set<Socket>()
    let mode: Mode = "open"
    const isHung = () => mode === "hung"
    const track = (socket: Socket) => {
      sockets.add(socket)
      socket.on("error", () => socket.destroy())
      socket.on("close", () => sockets.delete(socket))
    }
    const forward = (from: Socket, to: Socket, wait: () => number) => {
      from.on("data", (part) => {
        from.pause()
        const send = () => {
          if (isHung()) setTimeout(send, 100)
          else {
            to.write(part)
            from.resume()
          }
        }
        setTimeout(send, wait())
      })
      from.on("close", () => to.destroy())
    }
    const accept = (client: Socket) => {
      if (mode === "down") {
        client.destroy()
        return
      }
      const upstream = connect(Number(port), hostname)
      for (const socket of [client, upstream]) track(socket)
      forward(client, upstream, () => 0)
      forward(upstream, client, delay)
    }
    const breakAll = () => {
      for (const socket of sockets) socket.destroy()
    }
    const server = yield* Effect.acquireRelease(
      Effect.callback<Server>((resume) => {
        const server = createServer(accept)
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          mode = "down"
          breakAll()
          server.close(() => resume(Effect.void))
        }),
    )
    const address = server.address() as AddressInfo
    const gate: Gate = {
      baseUrl: `http://127.0.0.1:${address.port}`,
      set: (next) => {
        mode = next
        if (next === "down") breakAll()
      },
    }
    return gate
  })
