/** Calls of `vigil mcp` and `vigil serve --mcp` that the client cancels, or leaves, while the service hangs. */
import { describe, expect, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { startServer } from "../support/server.js"
import { serveSubscriptions } from "../support/service.js"
import { bin, vigil } from "../support/subprocess.js"

const page = (...entries: ReadonlyArray<unknown>): Reply.Reply => ({ ...Reply.page(entries), end: "close" })

/** What is of no subscription. */
const shared = { tenant: page(), emergingIssues: page({ name: "default", properties: {} }) }

/** The requests of a poll, and of a call: the lists of the subscription, of the tenant and of everyone. */
const requests = 3

/** A service whose request for the subscription with this number hangs. Its other connections end with their responses. */
const startService = (hanging: number) =>
  serveSubscriptions((_, index) => (index === hanging - 1 ? Reply.silent : page()), shared)

type Service = Effect.Success<ReturnType<typeof startService>>

const flags = ({ origin }: Service) => ["-s", "x", "--base-url", origin]

const connect = (transport: StdioClientTransport | StreamableHTTPClientTransport) =>
  Effect.promise(async () => {
    const client = new Client({ name: "test", version: "1.0.0" })
    // The type of `sessionId` lacks `undefined`.
    await client.connect(transport as Parameters<typeof client.connect>[0])
    return client
  })

const startStdio = Effect.gen(function* () {
  const service = yield* startService(1)
  const args = [bin, "mcp", ...flags(service)]
  const env = { HEALTH_ACCESS_TOKEN: "token", VIGIL_NO_KEYCHAIN: "1" }
  const open = connect(new StdioClientTransport({ command: process.execPath, args, env }))
  return { client: yield* Effect.acquireRelease(open, (client) => Effect.promise(() => client.close())), service }
})

const call = (client: Client, signal?: AbortSignal) =>
  client.callTool({ name: "health_events", arguments: {} }, undefined, signal && { signal })

/** Calls a tool, and stops when the service has the requests. Succeeds when the service sees that the connection ends. */
const stopCall = (client: Client, { awaitConnections, awaitRequests }: Service, count: number, leaves: boolean) =>
  Effect.gen(function* () {
    const controller = new AbortController()
    const failure = call(client, controller.signal).then(
      () => undefined,
      (error: unknown) => error,
    )
    yield* awaitRequests(count)
    if (leaves) yield* Effect.promise(() => client.close())
    else controller.abort()
    expect(yield* Effect.promise(() => failure)).toBeDefined()
    yield* awaitConnections(0)
  })

const expectAnswer = (client: Client) =>
  Effect.map(
    Effect.promise(() => call(client)),
    ({ structuredContent }) => expect(structuredContent).toMatchObject({ total: 0, status: "complete" }),
  )

describe("vigil mcp", () => {
  it.live("stops the request of a cancelled call, and answers the next", () =>
    Effect.gen(function* () {
      const { client, service } = yield* startStdio
      yield* stopCall(client, service, requests, false)
      yield* expectAnswer(client)
    }),
  )

  it.live("ends with stdin, also if a call hangs", () =>
    Effect.gen(function* () {
      const service = yield* startService(1)
      const send = (id: number | undefined, method: string, params: object) =>
        JSON.stringify({ jsonrpc: "2.0", id, method, params })
      const text = [
        send(0, "initialize", {
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: "test", version: "1" },
        }),
        send(undefined, "notifications/initialized", {}),
        send(1, "tools/call", { name: "health_events", arguments: {} }),
      ].join("\n")
      const { code } = yield* Effect.promise(() => vigil(["mcp", ...flags(service)], { stdin: { text } }))
      expect(code).toBe(0)
      yield* service.awaitConnections(0)
    }),
  )
})

describe("vigil serve --mcp", () => {
  it.live("answers a session while calls of another one hang", () =>
    Effect.gen(function* () {
      const service = yield* serveSubscriptions(
        ({ target }) => (target.includes("/hanging/") ? Reply.silent : page()),
        shared,
      )
      const { get, idle, url } = yield* startServer("--mcp", ...flags(service))
      yield* idle
      const open = Effect.acquireRelease(
        Effect.suspend(() => connect(new StreamableHTTPClientTransport(new URL("mcp", url)))),
        (client) => Effect.promise(() => client.close()),
      )
      const [one, other] = [yield* open, yield* open]
      const calls = Array.from({ length: 100 }, () =>
        one.callTool({ name: "health_events", arguments: { subscriptions: ["hanging"] } }).catch(() => undefined),
      )
      // All permits of the subscription, after the poll.
      yield* service.awaitRequests(requests + 4 * requests)
      yield* expectAnswer(other)
      expect((yield* get("/readyz")).status).toBe(200)
      yield* Effect.promise(() => one.close())
      yield* Effect.promise(() => Promise.all(calls))
    }),
  )

  it.live.each([false, true])("stops the request of a cancelled call, or of a client that leaves (%s)", (leaves) =>
    Effect.gen(function* () {
      // The first request for the subscription is that of the poll.
      const service = yield* startService(2)
      const { idle, url } = yield* startServer("--mcp", ...flags(service))
      yield* idle
      const open = Effect.suspend(() => connect(new StreamableHTTPClientTransport(new URL("mcp", url))))
      const client = yield* open
      yield* stopCall(client, service, 2 * requests, leaves)
      yield* expectAnswer(leaves ? yield* open : client)
    }),
  )
})
