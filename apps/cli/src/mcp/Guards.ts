/** What an MCP server of `effect/ai` leaves to its user: bounded and valid input, and sessions that end. */
import * as McpProtocol from "effect/ai/McpProtocol"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as NodeStdio from "@effect/platform-node/NodeStdio"

/** A client with an unknown version gets the first. The last has no sessions, and cannot be that. */
export const protocols = [
  McpProtocol.v2025_11_25,
  McpProtocol.v2025_06_18,
  McpProtocol.v2025_03_26,
  McpProtocol.v2026_07_28,
] as const

/** In characters of a line, and in bytes of a body. */
const maxLength = 1024 * 1024

const parseError = `${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_700, message: "Parse error" } })}\n`

const isMessage = (line: string): boolean => {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === "object" && value !== null
  } catch {
    return false
  }
}

/** Splits text into lines. `undefined` stands for a line that is too long. */
const splitter = () => {
  let rest = ""
  let isTooLong = false
  return (text: string): ReadonlyArray<string | undefined> => {
    const [first = "", ...others] = text.split("\n")
    const lines = [rest + first, ...others]
    rest = lines.pop() ?? ""
    const complete = lines.map((line, index) => (index === 0 && isTooLong ? undefined : line))
    if (complete.length > 0) isTooLong = false
    if (rest.length > maxLength) {
      isTooLong = true
      rest = ""
    }
    return complete.map((line) => (line === undefined || line.length > maxLength ? undefined : line))
  }
}

const encoder = new TextEncoder()

/** Passes on whole messages: the server would drop all others of the chunk with a malformed one. */
const guard = (stdio: Stdio.Stdio): Stdio.Stdio => {
  const split = splitter()
  const check = (line: string | undefined) =>
    line !== undefined && isMessage(line)
      ? Effect.succeed([encoder.encode(`${line}\n`)])
      : Effect.as(
          Effect.sync(() => process.stdout.write(parseError)),
          [],
        )
  return Stdio.make({
    ...stdio,
    stdin: stdio.stdin.pipe(
      Stream.decodeText(),
      Stream.concat(Stream.succeed("\n")),
      Stream.flatMap((text) => Stream.fromIterable(split(text))),
      Stream.filter((line) => line?.trim() !== ""),
      Stream.mapEffect(check),
      Stream.flatMap((lines) => Stream.fromIterable(lines)),
    ),
  })
}

export const stdio: Layer.Layer<Stdio.Stdio> = Layer.effect(Stdio.Stdio, Effect.map(Stdio.Stdio, guard)).pipe(
  Layer.provide(NodeStdio.layer),
)

/** More sessions than this end the oldest one: they never end by themselves. */
const maxSessions = 100

const header = "mcp-session-id"

type App<E, R> = Effect.Effect<HttpServerResponse, E, HttpServerRequest.HttpServerRequest | R>

/** Limits the bodies and the sessions of a server. */
export const http = <E, R>(app: App<E, R>): App<E, R> => {
  const sessions = new Set<string>()
  const end = (id: string) => {
    const request = new Request("http://localhost/mcp", { method: "DELETE", headers: { [header]: id } })
    return Effect.ignore(
      Effect.provideService(app, HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(request)),
    )
  }
  const remember = Effect.fnUntraced(function* (id: string | undefined) {
    if (id === undefined) return
    sessions.add(id)
    const [oldest] = sessions
    if (sessions.size <= maxSessions || oldest === undefined) return
    sessions.delete(oldest)
    yield* end(oldest)
  })
  return Effect.gen(function* () {
    const response = yield* app
    const context = yield* Effect.context<R>()
    // The server adds the header of a new session after its response.
    yield* HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.as(Effect.provideContext(remember(response.headers[header]), context), response),
    )
    return response
  }).pipe(Effect.provideService(HttpServerRequest.MaxBodySize, ByteSize.bytes(maxLength)))
}
