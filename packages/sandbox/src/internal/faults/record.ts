/** What a fault server remembers: every byte, every request, and the connections that are open. */
import type { Socket } from "node:net"
import * as Effect from "effect/Effect"
import type { Received } from "../../Received.js"
import * as signal from "./signal.js"

/** The memory of one server, filled by its connections. */
export const make = () => {
  const { changed, until } = signal.make()
  const requests: Array<Received> = []
  const chunks: Array<string> = []
  const open = new Set<Socket>()
  return {
    /** Notes a request, and gives its index. */
    request: (request: Received): number => {
      const index = requests.push(request) - 1
      changed()
      return index
    },
    chunk: (chunk: string): void => void chunks.push(chunk),
    /** Notes a connection, until it closes. */
    connection: (socket: Socket): void => {
      open.add(socket)
      socket.once("close", () => {
        open.delete(socket)
        changed()
      })
    },
    closeConnections: (): void => {
      for (const socket of open) socket.destroy()
    },
    requests: Effect.sync((): ReadonlyArray<Received> => [...requests]),
    received: (count: number) => until(() => requests[count - 1]),
    bytes: Effect.sync(() => chunks.join("")),
    connections: Effect.sync(() => open.size),
    connectionsAtMost: (count: number) => Effect.asVoid(until(() => (open.size <= count ? true : undefined))),
  }
}

/** See `make`. */
export type Memory = ReturnType<typeof make>
