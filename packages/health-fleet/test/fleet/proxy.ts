/** A proxy in front of Postgres, whose connections can go dark. */
import { createServer, connect, type AddressInfo, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/** `acknowledges`: what is sent to it is read and lost. `drops`: it reads nothing. */
export type Darkness = "acknowledges" | "drops"

/** Starts a proxy until the scope closes. Connections that are open when it goes dark stay dark; so do those that are opened until it is light again. */
export const startProxy = (database: Redacted.Redacted) =>
  Effect.gen(function* () {
    const url = new URL(Redacted.value(database))
    const path = `${url.searchParams.get("host")}/.s.PGSQL.5432`
    const sockets = new Set<Socket>()
    let dark: Darkness | undefined
    const blind = (socket: Socket) => {
      socket.unpipe()
      if (dark === "acknowledges") socket.resume()
      else socket.pause()
    }
    const server = createServer((client) => {
      const ends = dark === undefined ? [client, connect(path)] : [client]
      for (const socket of ends) {
        sockets.add(socket)
        socket.on("error", () => socket.destroy())
        socket.on("close", () => {
          sockets.delete(socket)
          for (const other of ends) other.destroy()
        })
      }
      const [, upstream] = ends
      if (upstream === undefined) blind(client)
      else client.pipe(upstream).pipe(client)
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.sync(() => {
          server.close()
          for (const socket of sockets) socket.destroy()
        }),
    )
    const { port } = server.address() as AddressInfo
    url.searchParams.delete("host")
    url.hostname = "127.0.0.1"
    url.port = String(port)
    return {
      url: Redacted.make(url.href),
      goDark: (how: Darkness) =>
        Effect.sync(() => {
          dark = how
          for (const socket of sockets) blind(socket)
        }),
      lighten: Effect.sync(() => {
        dark = undefined
      }),
    }
  })
