/** What an MCP server of `effect/ai` leaves to its user: bounded and valid input, bounded calls, and sessions that end. */
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as McpProtocol from "effect/ai/McpProtocol"
import * as ByteSize from "effect/ByteSize"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"

/** A client with an unknown version gets the first. The last has no sessions, and cannot be that. */
export const protocols = [
  McpProtocol.v2025_11_25,
  McpProtocol.v2025_06_18,
  McpProtocol.v2025_03_26,
  McpProtocol.v2026_07_28,
] as const

/** In characters of a line, and in bytes of a body. */
const maxLength = 1024 * 1024

/** The server fails at messages of thousands of levels, and drops those that it read with them. */
const maxDepth = 100

const isShallow = (value: unknown, levels = maxDepth): boolean =>
  !Predicate.isObjectOrArray(value) || (levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1)))

const errorOf = (code: number, message: string, id: unknown = null): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })}\n`

/** Why a line is not passed on, as a response. */
const problemOf = (line: string | undefined): string | undefined => {
  try {
    const value: unknown = JSON.parse(line ?? "")
    if (!Predicate.isObjectOrArray(value)) return errorOf(-32_700, "Parse error")
    if (isShallow(value)) return undefined
    const id = Predicate.isObject(value) && /^(?:number|string)$/.test(typeof value["id"]) ? value["id"] : null
    return errorOf(-32_600, `The message has more than ${maxDepth} levels.`, id)
  } catch {
    return errorOf(-32_700, "Parse error")
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

/** In seconds. Calls in progress end that long after stdin. */
const grace = 5

/** Passes on whole messages: the server would drop all others of the chunk with a malformed one. */
const guard = (stdio: Stdio.Stdio, ended: Latch.Latch): Stdio.Stdio => {
  const split = splitter()
  const check = (line: string | undefined) => {
    const problem = problemOf(line)
    return problem === undefined
      ? Effect.succeed([encoder.encode(`${line}\n`)])
      : Effect.as(
          Effect.sync(() => process.stdout.write(problem)),
          [],
        )
  }
  return Stdio.make({
    ...stdio,
    stdin: stdio.stdin.pipe(
      Stream.decodeText(),
      Stream.concat(Stream.succeed("\n")),
      Stream.flatMap((text) => Stream.fromIterable(split(text))),
      Stream.filter((line) => line?.trim() !== ""),
      Stream.mapEffect(check),
      Stream.flatMap((lines) => Stream.fromIterable(lines)),
      Stream.onEnd(Latch.open(ended)),
    ),
  })
}

/** Runs a server of stdin and stdout. It ends with stdin: the server itself would wait for calls that hang. */
export const stdio = <E>(server: Effect.Effect<unknown, E, Stdio.Stdio>): Effect.Effect<void, E> =>
  Effect.gen(function* () {
    const ended = yield* Latch.make()
    const own = Effect.map(Stdio.Stdio, (stdio) => guard(stdio, ended))
    const end = Effect.andThen(Latch.await(ended), Effect.sleep(Duration.seconds(grace)))
    yield* Effect.raceFirst(Effect.provideServiceEffect(server, Stdio.Stdio, own), end)
  }).pipe(Effect.provide(NodeStdio.layer))

/** More sessions than this end the one that was not used for the longest time: they never end by themselves. */
const maxSessions = 100

const header = "mcp-session-id"

/** How many calls may wait for the service at once, so that clients leave some to each other. */
const maxCalls = { all: 200, ofClient: 50 }

/** Other methods return at once. A client without a session must get one while others wait. */
const waitingMethods = new Set<unknown>(["resources/read", "tools/call"])

const waits = (body: string): boolean => {
  try {
    const message: unknown = JSON.parse(body)
    return Predicate.hasProperty(message, "method") && waitingMethods.has(message.method)
  } catch {
    return false
  }
}

/** Limits the calls that wait, of each session and of the clients without a session at one address. An unfinished body is not a call. */
const limitCalls = () => {
  const waiting = new Map<symbol, string>()
  return <E, R>(app: App<E, R>): App<E, R> =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      // The server fails at an invalid body again.
      const body = request.method === "POST" ? yield* Effect.orElseSucceed(request.text, () => "") : ""
      if (!waits(body)) return yield* app
      const client = request.headers[header] ?? `at ${Option.getOrElse(request.remoteAddress, () => "")}`
      const ofClient = [...waiting.values()].filter((one) => one === client).length
      if (waiting.size >= maxCalls.all || ofClient >= maxCalls.ofClient)
        return HttpServerResponse.text("Too many calls wait.\n", { status: 503, headers: { "retry-after": "5" } })
      const call = Symbol(client)
      return yield* Effect.acquireUseRelease(
        Effect.sync(() => waiting.set(call, client)),
        () => app,
        () => Effect.sync(() => waiting.delete(call)),
      )
    })
}

type App<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest | R>

/** Limits the bodies, the calls and the sessions of a server. */
export const http = <E, R>(app: App<E, R>): App<E, R> => {
  const limited = limitCalls()(app)
  const sessions = new Set<string>()
  const end = (id: string) => {
    const request = new Request("http://localhost/mcp", { method: "DELETE", headers: { [header]: id } })
    return Effect.ignore(
      Effect.provideService(app, HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(request)),
    )
  }
  /** Makes a session the one that was used last. */
  const touch = Effect.fnUntraced(function* (id: string | undefined) {
    if (id === undefined) return
    sessions.delete(id)
    sessions.add(id)
    const [oldest] = sessions
    if (sessions.size <= maxSessions || oldest === undefined) return
    sessions.delete(oldest)
    yield* end(oldest)
  })
  return Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const used = headers[header]
    if (used !== undefined && sessions.has(used)) yield* touch(used)
    const response = yield* limited
    const context = yield* Effect.context<R>()
    // The server adds the header of a new session after its response.
    yield* HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.as(Effect.provideContext(touch(response.headers[header]), context), response),
    )
    return response
  }).pipe(Effect.provideService(HttpServerRequest.MaxBodySize, ByteSize.bytes(maxLength)))
}
