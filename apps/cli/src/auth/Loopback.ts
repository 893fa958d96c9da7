/** A server on this machine, of one page and for one answer: what a browser brings back from signing in. */
import { randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { UsageError } from "../Failure.js"
import * as LoopbackPage from "./LoopbackPage.js"

/** What came back, and how to tell the one who brought it how it went. */
interface Answer {
  readonly fragment: string
  readonly reply: (words: LoopbackPage.Words) => Effect.Effect<void>
}

/** Where to send a browser back to, and what it brings: once. */
export interface Loopback {
  readonly address: string
  readonly answer: Effect.Effect<Answer>
}

/** Longer than any answer, in bytes. */
const longest = 64 * 1024

const Brought = Schema.parseJson(Schema.Struct({ answer: Schema.String }))

/** The text of a request; nothing when it is longer than any answer. */
const textOf = async (request: IncomingMessage): Promise<string | undefined> => {
  const parts: Array<Buffer> = []
  let size = 0
  for await (const part of request) {
    const bytes = Buffer.from(part)
    size += bytes.length
    if (size > longest) return undefined
    parts.push(bytes)
  }
  return Buffer.concat(parts).toString("utf8")
}

const refuse = (response: ServerResponse, status: number) => {
  response.writeHead(status, { "cache-control": "no-store", connection: "close" }).end()
}

const reply =
  (response: ServerResponse) =>
  (words: LoopbackPage.Words): Effect.Effect<void> =>
    Effect.async((resume) => {
      response.once("close", () => resume(Effect.void))
      if (response.destroyed) return resume(Effect.void)
      response
        .writeHead(200, { "content-type": "application/json", "cache-control": "no-store", connection: "close" })
        .end(JSON.stringify(words))
    })

/** Why a request to the answer's path is not taken: it does not come from the page itself. */
const foreign = ({ headers, method }: IncomingMessage, address: string): number | undefined => {
  if (method !== "POST") return 405
  if (headers.origin !== new URL(address).origin) return 403
  return headers["content-type"] === "application/json" ? undefined : 415
}

/** Starts the server at a port, 0 for one that is free. It stops with its scope. Fails with a `UsageError` when the port can't be had. */
export const listen = (port: number): Effect.Effect<Loopback, UsageError, Scope.Scope> =>
  Effect.gen(function* () {
    const brought = yield* Deferred.make<Answer>()
    const path = `/answer/${randomBytes(32).toString("base64url")}`
    let isTaken = false
    const node = createServer()

    const take = async (request: IncomingMessage, response: ServerResponse) => {
      const status = isTaken ? 410 : foreign(request, addressOf(node.address()))
      if (status !== undefined) return refuse(response, status)
      const found = Schema.decodeUnknownOption(Brought)(await textOf(request))
      if (Option.isNone(found)) return refuse(response, 400)
      if (isTaken) return refuse(response, 410)
      isTaken = true
      Deferred.unsafeDone(brought, Effect.succeed({ fragment: found.value.answer, reply: reply(response) }))
    }

    node.on("request", (request, response) => {
      // By another name than its own, the page may have been made to look like another site's.
      if (request.headers.host !== new URL(addressOf(node.address())).host) return refuse(response, 421)
      if (request.url === path) return void take(request, response).catch(() => response.destroy())
      if (request.url?.replace(/\?.*/s, "") !== "/") return refuse(response, 404)
      if (request.method !== "GET") return refuse(response, 405)
      response.writeHead(200, { ...LoopbackPage.headers, connection: "close" }).end(LoopbackPage.html(path))
    })

    yield* Effect.acquireRelease(
      Effect.async<void, UsageError>((resume) => {
        node.once("error", () =>
          resume(new UsageError({ message: `The port ${port} can't be had. Give another one by --port, or none.` })),
        )
        node.listen(port, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.async<void>((resume) => {
          node.close(() => resume(Effect.void))
          node.closeAllConnections()
        }),
    )
    return { address: addressOf(node.address()), answer: Deferred.await(brought) }
  })

const addressOf = (bound: ReturnType<ReturnType<typeof createServer>["address"]>): string =>
  `http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : ""}/`
