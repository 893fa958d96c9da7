/** An MCP client of the tools, in memory. */
import * as AvailabilityClient from "@vigil/health-client/AvailabilityClient"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import type { TestData } from "@vigil/health-client/TestData"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as McpProtocol from "effect/ai/McpProtocol"
import * as McpTest from "effect/ai/McpTest"
import type * as Tool from "effect/ai/Tool"
import type * as Toolkit from "effect/ai/Toolkit"
import * as HealthMcp from "../src/HealthMcp.js"
import type * as HealthTools from "../src/HealthTools.js"

type Tools = Toolkit.Tools<typeof HealthTools.toolkit>

/** The answer of a tool, or the message of its error. */
type Answer<Name extends keyof Tools> = Tool.Success<Tools[Name]> & { readonly error?: string }

type Arguments = Readonly<Record<string, unknown>>

/** Resources are unknown, unless `clients` also has an `AvailabilityClient`. */
export const connect = Effect.fnUntraced(function* <E>(
  clients: Layer.Layer<HealthClient.HealthClient, E>,
  options: HealthTools.Options = {},
) {
  const client = yield* McpTest.makeClient(
    HealthMcp.layer(options).pipe(Layer.provide(Layer.provideMerge(clients, AvailabilityClient.layerTest()))),
    {
      protocols: [McpProtocol.v2025_11_25],
    },
  )
  const call = <Name extends keyof Tools>(name: Name, args: Arguments = {}) =>
    Effect.map(client.callTool({ name, arguments: args }), ({ content, isError, structuredContent }) => {
      const [text] = content
      const answer = isError === true ? { error: text?.type === "text" ? text.text : "" } : structuredContent
      return answer as Answer<Name>
    })
  /** The answers until there is no cursor. */
  const callAll = Effect.fnUntraced(function* <Name extends Exclude<keyof Tools, "health_changes">>(
    name: Name,
    args: Arguments = {},
  ) {
    const answers = [yield* call(name, args)]
    for (let last = answers[0]; last?.cursor !== undefined; last = answers.at(-1))
      answers.push(yield* call(name, { ...args, cursor: last.cursor }))
    return answers
  })
  return { client, call, callAll }
})

/** The only entry of a list of emerging issues. */
export const issues = (...statusActiveEvents: ReadonlyArray<object>) => ({
  name: "default",
  properties: { statusActiveEvents },
})

/** There is none, and the service says so. */
export const noIssues = issues()

/** What the tenant and everyone have: nothing. */
export const quiet: TestData = { tenant: [], emergingIssues: [noIssues], metadata: [] }

/** A client of an in-memory service. Its subscriptions are the default of the tools, and have no resources. The tenant and everyone have no events. */
export const withData = (data: TestData, options: HealthTools.Options = {}) => {
  const ids = Object.keys(data.subscriptions ?? {})
  const resources = AvailabilityClient.layerTest({
    statuses: Object.fromEntries(ids.map((id) => [`/subscriptions/${id}`, []])),
  })
  return connect(Layer.merge(HealthClient.layerTest({ ...quiet, ...data }), resources), {
    subscriptions: ids.map((id) => SubscriptionId.make(id)),
    ...options,
  })
}

/** An event that was just updated. */
export const event = (name: string, properties: object = {}) => ({
  id: `/${name}`,
  name,
  properties: { lastUpdateTime: new Date().toISOString(), status: "Active", eventType: "ServiceIssue", ...properties },
})
