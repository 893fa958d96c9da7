/** The tools over MCP, against the sandbox. */
import { NodeHttpClient } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Credential } from "@vigil/health-client"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Sandbox from "@vigil/sandbox/Sandbox"
import * as McpProtocol from "effect/ai/McpProtocol"
import * as McpServer from "effect/ai/McpServer"
import * as McpTest from "effect/ai/McpTest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HealthTools from "../src/HealthTools.js"

const connect = Effect.fnUntraced(function* (options: HealthTools.Options = {}) {
  const { accessToken, baseUrl, world } = yield* Sandbox.make()
  const subscriptions = world.subscriptions.map(({ id }) => SubscriptionId.make(id))
  const health = HealthClient.layer({ baseUrl, credential: Credential.bearer(accessToken) }).pipe(
    Layer.provide(NodeHttpClient.layerUndici),
  )
  const tools = HealthTools.layer({ subscriptions, ...options }).pipe(Layer.provide(health))
  const client = yield* McpTest.makeClient(McpServer.toolkit(HealthTools.toolkit).pipe(Layer.provide(tools)), {
    protocols: [McpProtocol.v2025_11_25],
  })
  return { client, world, subscriptions }
})

describe("the tools", () => {
  it.live("smoke", () =>
    Effect.gen(function* () {
      const { client } = yield* connect()
      const { tools } = yield* client.listTools()
      console.log(
        tools.map((t) => JSON.stringify([t.description, t.inputSchema, t.outputSchema]).length),
        tools.reduce((a, t) => a + JSON.stringify([t.description, t.inputSchema, t.outputSchema]).length, 0),
      )
      console.log(JSON.stringify(tools[3]))
      for (const [name, args] of [
        ["summarize_health", {}],
        ["list_events", { days: 30 }],
        ["compare_since", {}],
      ] as const) {
        const result = yield* client.callTool({ name, arguments: args })
        console.log(
          name,
          JSON.stringify(result.structuredContent ?? result).length,
          JSON.stringify(result.structuredContent ?? result, null, 0).slice(0, 3000),
        )
      }
    }),
  )
})
