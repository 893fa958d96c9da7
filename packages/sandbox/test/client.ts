/** A raw client: sends text, and returns the received bytes. */
import { connect, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { Faults } from "@vigil/sandbox"
import * as Effect from "effect/Effect"

/** The received bytes, and how the connection ended. */
export interface RawResponse {
  readonly text: string
  readonly end: "closed" | "reset" | "refused" | "enough"
}

const ends: Readonly<Record<string, RawResponse["end"]>> = {
  ECONNRESET: "reset",
  ECONNREFUSED: "refused",
  EPIPE: "reset",
}

/** A connection to the origin, over TLS for https. */
const open = (origin: string): Socket => {
  const { hostname, port, protocol } = new URL(origin)
  return protocol === "https:"
    ? connectTls({ host: hostname, port: Number(port), ca: Faults.certificate })
    : connect(Number(port), hostname)
}

/** Sends a text or its pieces, one byte per character, and reads until the connection ends or `enough` is true. */
export const speak = (
  origin: string,
  sent: string | ReadonlyArray<string>,
  enough: (text: string) => boolean = () => false,
): Effect.Effect<RawResponse> =>
  Effect.callback((resume) => {
    let text = ""
    const socket = open(origin)
    const done = (end: RawResponse["end"]) => {
      socket.destroy()
      resume(Effect.succeed({ text, end }))
    }
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1")
      if (enough(text)) done("enough")
    })
    socket.once("error", (error: NodeJS.ErrnoException) => done(ends[error.code ?? ""] ?? "closed"))
    socket.once("close", () => done("closed"))
    socket.setNoDelay(true)
    for (const piece of typeof sent === "string" ? [sent] : sent) socket.write(Buffer.from(piece, "latin1"))
    return Effect.sync(() => socket.destroy())
  })

/** The request line and headers of a GET. */
export const get = (target = "/", headers = ""): string => `GET ${target} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`

/** Fetches a URL, and reads the whole response. */
export const ask = (url: string, init: RequestInit = {}) =>
  Effect.tryPromise(async (signal) => {
    const response = await fetch(url, { redirect: "manual", signal, ...init })
    return { status: response.status, headers: response.headers, body: await response.text() }
  })
