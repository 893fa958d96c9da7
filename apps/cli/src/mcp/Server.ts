/** The tools for language models as an MCP server. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as AvailabilityClient from "@vigil/health-client/AvailabilityClient"
import * as Connection from "@vigil/health-client/Connection"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as HealthMcp from "@vigil/health-tools/HealthMcp"
import type * as HealthTools from "@vigil/health-tools/HealthTools"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as McpServer from "effect/ai/McpServer"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Guards from "./Guards.js"

export interface Options extends HealthTools.Options {
  readonly service: Connection.Service
  readonly version: string
}

/** Its layers fail only for options that are wrong here. */
const server = ({ service, version, ...options }: Options) => ({
  name: "vigil",
  version,
  instructions: HealthMcp.instructions,
  protocols: Guards.protocols,
  registrations: HealthMcp.layer(options).pipe(
    Layer.provide([HealthClient.layer, AvailabilityClient.layer]),
    Layer.provide(Layer.succeed(Connection.Connection, service)),
  ),
})

/** Serves stdin and stdout until stdin ends. */
export const stdio = (options: Options) =>
  Guards.stdio(Layer.launch(McpServer.layerStdio(server(options)).pipe(Layer.orDie))).pipe(
    Effect.provideService(Logger.LogToStderr, true),
  )

/** A handler of Node's requests to `/mcp`. Nothing that a client could subscribe to changes. */
export const handler = Effect.fnUntraced(function* (options: Options) {
  const mcp = McpServer.layerHttp({
    ...server(options),
    path: "/mcp",
    allowSessionTermination: true,
    allowSubscriptions: false,
  }).pipe(Layer.orDie)
  const app = Guards.http(yield* HttpRouter.toHttpEffect(mcp))
  return yield* NodeHttpServer.makeHandler(app, { scope: yield* Effect.scope })
})
