/** Writes a reply: its status and headers, its body as fast as the client reads it, and the end of the connection. */
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Writable } from "node:stream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Reply } from "../../Reply.js"
import { sleep } from "./bodies.js"

/** Milliseconds between the last write and a reset: a client that receives both at once may miss the reset (libuv does). */
const beforeReset = 25

/** Succeeds when the system has the bytes. If the client has disconnected, it never returns, and the caller is interrupted. */
const send = (to: Writable, bytes: Uint8Array): Effect.Effect<void> =>
  Effect.callback((resume) => {
    to.write(bytes, (error) => {
      if (error === null || error === undefined) resume(Effect.void)
    })
  })

const framing = ({ body, length }: Reply): Readonly<Record<string, string>> => {
  const size = length ?? (body instanceof Uint8Array ? body.length : undefined)
  return size === undefined ? {} : { "content-length": `${size}` }
}

/** RFC 9110, 6.4.1 and 8.6. */
const isBodiless = (status: number): boolean => status === 204 || status === 304

export const write = (reply: Reply, response: ServerResponse, tcp: Socket): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { body, end, headers, status } = reply
    const { socket } = response
    if (status !== undefined) {
      response.sendDate = false
      response.writeHead(status, {
        ...(isBodiless(status) ? {} : framing(reply)),
        ...(end === "close" ? { connection: "close" } : {}),
        ...headers,
      })
      response.flushHeaders()
    }
    const to = status === undefined ? (socket ?? tcp) : response
    if (!(body instanceof Uint8Array)) yield* Stream.runForEach(body, (bytes) => send(to, bytes))
    else if (body.length > 0) yield* send(to, body)
    if (end === "hang") return
    if (end === "reset") {
      if (status !== undefined) yield* sleep(beforeReset)
      tcp.resetAndDestroy()
    } else if (status === undefined) to.end()
    else response.end()
  }).pipe(Effect.onError(() => Effect.sync(() => tcp.destroy())))
