/** Writes a reply to a socket: its head, then its body as fast as the peer reads it. */
import { STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Reply } from "../../Reply.js"

/** Done when the bytes are handed to the system; never, when the peer is gone: then the connection's fiber is interrupted. */
const write = (socket: Duplex, bytes: Uint8Array): Effect.Effect<void> =>
  Effect.async((resume) => {
    if (bytes.length === 0) resume(Effect.void)
    else
      socket.write(bytes, (error) => {
        if (error === null || error === undefined) resume(Effect.void)
      })
  })

const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1")

/** Statuses whose answers have neither a body nor a length (RFC 9110, 6.4.1 and 8.6). */
const isBare = (status: number): boolean => status < 200 || status === 204 || status === 304

/** How the end of the body is told, if it is. */
const framing = (reply: Reply, status: number): Readonly<Record<string, string>> => {
  if (isBare(status)) return {}
  if (reply.length !== undefined) return { "content-length": `${reply.length}` }
  return reply.body instanceof Uint8Array
    ? { "content-length": `${reply.body.length}` }
    : { "transfer-encoding": "chunked" }
}

const head = (reply: Reply, status: number, frame: Readonly<Record<string, string>>): Uint8Array => {
  const headers = { ...frame, ...(reply.end === "close" ? { connection: "close" } : {}), ...reply.headers }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return latin1(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Unknown"}\r\n${lines.join("")}\r\n`)
}

/** Writes all of a reply but its end. `bodiless` is for an answer to HEAD. */
export const writeReply = (socket: Duplex, reply: Reply, bodiless: boolean): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { body, status } = reply
    const frame = status === undefined ? {} : framing(reply, status)
    const before = status === undefined ? latin1("") : head(reply, status, frame)
    if (body instanceof Uint8Array) return yield* write(socket, bodiless ? before : Buffer.concat([before, body]))
    yield* write(socket, before)
    if (bodiless) return
    const chunked = "transfer-encoding" in frame
    yield* Stream.runForEach(body, (bytes) =>
      chunked
        ? bytes.length === 0
          ? Effect.void
          : write(socket, Buffer.concat([latin1(`${bytes.length.toString(16)}\r\n`), bytes, latin1("\r\n")]))
        : write(socket, bytes),
    )
    // A chunked body that is to be cut off is not finished.
    if (chunked && reply.end !== "reset" && reply.end !== "hang") yield* write(socket, latin1("0\r\n\r\n"))
  })
