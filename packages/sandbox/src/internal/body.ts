/** Reads request bodies, up to a limit. */
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"

const limit = 1_000_000

/**
 * Empty without a body; fails above 1 MB but receives the rest, so that the client can read the response (`request.text` disconnects it).
 */
export const read = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string, "TooLarge"> =>
  Effect.callback((resume) => {
    const source = NodeHttpServerRequest.toIncomingMessage(request)
    const chunks: Array<Buffer> = []
    let size = 0
    source.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else {
        chunks.length = 0
        resume(Effect.fail("TooLarge"))
      }
    })
    source.once("end", () => resume(Effect.succeed(Buffer.concat(chunks).toString())))
  })
