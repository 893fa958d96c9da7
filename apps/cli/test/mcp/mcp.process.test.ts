/** `vigil mcp` and `vigil serve --mcp`: the official client of the Model Context Protocol, and malformed input. */
import { describe, expect, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type * as HealthTools from "@vigil/health-tools/HealthTools"
import type * as Tool from "effect/ai/Tool"
import type * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import { startServer } from "../support/server.js"
import { bin, vigil } from "../support/subprocess.js"

type Tools = Toolkit.Tools<typeof HealthTools.toolkit>

type Json = Readonly<Record<string, unknown>>

interface Answer {
  readonly id?: unknown
  readonly error?: unknown
  readonly result?: { readonly isError?: boolean; readonly tools?: ReadonlyArray<unknown> }
}

/** Calls every tool. The client validates the answers against the output schemas. */
const callAll = (transport: StdioClientTransport | StreamableHTTPClientTransport) =>
  Effect.promise(async () => {
    const client = new Client({ name: "test", version: "1.0.0" })
    // The type of `sessionId` lacks `undefined`.
    await client.connect(transport as Parameters<typeof client.connect>[0])
    const { tools } = await client.listTools()
    const call = async <Name extends keyof Tools>(name: Name, args: Json = {}) => {
      const { isError, structuredContent } = await client.callTool({ name, arguments: args })
      expect(isError).not.toBe(true)
      return structuredContent as Tool.Success<Tools[Name]>
    }
    const summary = await call("health_summary")
    const trackingId = summary.mostImportant[0]?.trackingId
    const { total } = await call("health_events")
    await call("health_changes")
    const { event } = await call("health_event_details", { trackingId })
    await call("health_impacted_resources", { trackingId })
    await call("health_subscriptions")
    const { contents } = await client.readResource({ uri: `health://events/${trackingId}` })
    const { prompts } = await client.listPrompts()
    await client.close()
    const { activeIssues = 0, activeNotices = 0, resolved = 0 } = summary
    return {
      names: tools.map(({ name }) => name),
      counts: [activeIssues + activeNotices + resolved, total],
      found: event?.trackingId === trackingId && JSON.stringify(contents).includes(trackingId ?? "none"),
      prompts: prompts.map(({ name }) => name),
    }
  })

const expected = {
  names: [
    "health_summary",
    "health_events",
    "health_event_details",
    "health_impacted_resources",
    "health_resources",
    "health_why",
    "health_changes",
    "health_subscriptions",
  ],
  counts: [expect.any(Number), expect.any(Number)],
  found: true,
  prompts: ["health_briefing"],
}

const message = (id: number, method: string, params: Json = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params })

const initialize = message(0, "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
})

const initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`

describe("vigil mcp", () => {
  it.live("serves the official client", () =>
    Effect.gen(function* () {
      const transport = new StdioClientTransport({ command: process.execPath, args: [bin, "mcp", "--sandbox"] })
      const { counts, ...result } = yield* callAll(transport)
      expect({ counts, ...result }).toEqual(expected)
      expect(counts[0]).toBe(counts[1])
    }),
  )

  it.live("answers valid messages among malformed and hostile ones, prints only messages, and exits with 0", () =>
    Effect.gen(function* () {
      const deep = "[".repeat(6000) + "]".repeat(6000)
      const broken = [
        "{",
        "null",
        '"text"',
        "[]",
        "{}",
        `{"jsonrpc":"1.0"}`,
        "\u0000",
        `["${"[".repeat(5000)}`,
        deep,
        "x".repeat(2_000_000),
      ]
      const hostile = [
        { name: "__proto__", arguments: {} },
        { name: "health_events", arguments: { __proto__: { a: 1 }, days: 1e9 } },
        { name: "health_events", arguments: { subscriptions: ["../../secrets", "https://evil.example"] } },
        { name: "health_event_details", arguments: { trackingId: "a/../b" } },
        { name: "health_event_details", arguments: { trackingId: "\u202e".repeat(3000) } },
        { name: "health_events", arguments: { cursor: "A".repeat(5000) } },
        { name: "health_changes", arguments: { cursor: { a: 1 } } },
        { name: "health_events", arguments: [] },
        { name: 7 },
        { name: "health_events", arguments: { status: "deep" } },
      ]
      const count = 40
      const lines = Array.from({ length: count }, (_, index) =>
        index % 2 === 0
          ? (broken[(index / 2) % broken.length] ?? "")
          : message(index, "tools/call", hostile[((index - 1) / 2) % hostile.length]).replace('"deep"', deep),
      )
      const text = [initialize, initialized, ...lines, message(count, "tools/list")].join("\n")
      const { code, stderr, stdout } = yield* Effect.promise(() => vigil(["mcp", "--sandbox"], { stdin: { text } }))
      const answers = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Answer)
      const answered = new Map(answers.map((answer) => [answer.id, answer]))
      expect(code).toBe(0)
      expect(answered.get(count)?.result?.tools).toHaveLength(expected.names.length)
      for (let id = 1; id < count; id += 2) {
        const answer = answered.get(id)
        expect([id, answer?.error !== undefined || answer?.result?.isError]).toEqual([id, true])
      }
      expect(stdout + stderr).not.toMatch(/sandbox-|at file:|node_modules/)
    }),
  )
})

describe("vigil serve --mcp", () => {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }

  it.live("serves the official client, and has the rules of the other paths", () =>
    Effect.gen(function* () {
      const { get, url } = yield* startServer("--sandbox", "--mcp")
      const { counts: _, ...result } = yield* callAll(new StreamableHTTPClientTransport(new URL("mcp", url)))
      expect({ counts: expected.counts, ...result }).toEqual(expected)
      const post = (body: string, more = {}) => get("/mcp", { method: "POST", headers: { ...headers, ...more } }, body)
      const first = yield* post(initialize)
      expect(first.headers).toMatchObject({ "cache-control": "no-store", "x-content-type-options": "nosniff" })
      expect((yield* post(initialize, { host: "evil.example" })).status).toBe(421)
      expect((yield* post(initialize, { origin: "https://evil.example" })).status).toBe(403)
      expect((yield* post("x".repeat(2_000_000))).text).toContain("-32700")

      const list = ({ headers }: Pick<typeof first, "headers">) => {
        const session = { "mcp-session-id": headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25" }
        return Effect.map(post(message(1, "tools/list"), session), ({ status }) => status)
      }
      const second = yield* post(initialize)
      for (let index = 0; index < 98; index++) yield* post(initialize)
      // The first session is used, so the second one is the first to end.
      expect(yield* list(first)).toBe(200)
      yield* post(initialize)
      expect(yield* list(second)).toBe(404)
      expect(yield* list(first)).toBe(200)
    }),
  )

  it.live("accepts no streams of notifications, which would take all connections", () =>
    Effect.gen(function* () {
      const { get } = yield* startServer("--sandbox", "--mcp")
      const version = "2026-07-28"
      const prefix = "io.modelcontextprotocol"
      const body = message(1, "subscriptions/listen", {
        notifications: { toolsListChanged: true },
        _meta: { [`${prefix}/protocolVersion`]: version, [`${prefix}/clientCapabilities`]: {} },
      })
      const more = { "mcp-protocol-version": version, "mcp-method": "subscriptions/listen" }
      const { text } = yield* get("/mcp", { method: "POST", headers: { ...headers, ...more } }, body)
      expect(text).toContain("-32601")
    }),
  )
})
