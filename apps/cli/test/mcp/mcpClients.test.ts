/** Clients of `vigil serve --mcp` that take nothing from each other. */
import { connect, type Socket } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { afterEach, vi } from "vitest"
import { type TextResponse, startServer } from "../support/server.js"
import { serveSubscriptions } from "../support/service.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }

const message = (method: string, params: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })

const initialize = message("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
})

/** A protocol without sessions. */
const version = "2026-07-28"
const withoutSession = {
  ...headers,
  "mcp-protocol-version": version,
  "mcp-method": "tools/call",
  "mcp-name": "health_events",
}
const prefix = "io.modelcontextprotocol"
const hanging = message("tools/call", {
  name: "health_events",
  arguments: { subscriptions: ["hanging"] },
  _meta: { [`${prefix}/protocolVersion`]: version, [`${prefix}/clientCapabilities`]: {} },
})

const start = Effect.gen(function* () {
  vi.stubEnv("HEALTH_ACCESS_TOKEN", "token")
  const service = yield* serveSubscriptions(({ target }) =>
    target.includes("/hanging/") ? Reply.silent : { ...Reply.page([]), end: "close" },
  )
  const server = yield* startServer("--mcp", "-s", "x", "--base-url", service.origin)
  yield* server.idle
  const post = (body: string, more = {}) =>
    server.get("/mcp", { method: "POST", headers: { ...headers, ...more } }, body)
  return { ...server, post, service }
})

type Started = Effect.Success<typeof start>

/** Gets a session, and lists the tools in it. */
const expectSession = ({ post }: Started) =>
  Effect.gen(function* () {
    const first = yield* post(initialize)
    expect(first.status).toBe(200)
    const session = { "mcp-session-id": first.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25" }
    const { text } = yield* post(message("tools/call", { name: "health_events", arguments: {} }), session)
    expect(text).toContain('"status":"complete"')
  })

/** Sends the head of a request, and a part of its body. */
const unfinished = (url: string) =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const { hostname, port } = new URL(url)
      const socket = connect(Number(port), hostname, () => {
        const head = Object.entries({ host: "localhost", ...headers, "content-length": "1000" })
        const lines = ["POST /mcp HTTP/1.1", ...head.map(([name, value]) => `${name}: ${value}`), "", "{"]
        socket.write(lines.join("\r\n"), () => resume(Effect.succeed(socket)))
      })
      socket.on("error", () => socket.destroy())
    }),
    (socket) => Effect.sync(() => socket.destroy()),
  )

describe("vigil serve --mcp", () => {
  it.live.each([100, 300])("opens a session while %i requests do not end", (count) =>
    Effect.gen(function* () {
      const server = yield* start
      yield* Effect.all(
        Array.from({ length: count }, () => unfinished(server.url)),
        { concurrency: 50 },
      )
      yield* expectSession(server)
      expect((yield* server.get("/healthz")).status).toBe(200)
    }),
  )

  it.live("opens a session while calls without one wait, and refuses more of these", () =>
    Effect.gen(function* () {
      const server = yield* start
      const responses = yield* Queue.unbounded<TextResponse>()
      const call = Effect.flatMap(server.post(hanging, withoutSession), (response) => Queue.offer(responses, response))
      yield* Effect.forkScoped(
        Effect.all(
          Array.from({ length: 60 }, () => call),
          { concurrency: "unbounded" },
        ),
      )
      for (const { headers, status } of yield* Queue.takeN(responses, 10))
        expect([status, headers["retry-after"]]).toEqual([503, "5"])
      yield* expectSession(server)
    }),
  )
})
