import { NodeRuntime, NodeStdio } from "@effect/platform-node"
import { FetchHttpClient } from "effect/http"
import { McpProtocol, McpServer } from "effect/ai"
import { AvailabilityClient, Connection, HealthClient } from "@vigil/health-client"
import { HealthMcp } from "@vigil/health-tools"
import { Layer, Logger } from "effect"

const Server = McpServer.layerStdio({
  name: "health",
  version: "1.0.0",
  instructions: HealthMcp.instructions,
  protocols: [McpProtocol.v2025_11_25, McpProtocol.v2025_06_18],
  registrations: HealthMcp.layer().pipe(
    Layer.provide([HealthClient.layer, AvailabilityClient.layer]),
    Layer.provide(Connection.layerConfig()),
    Layer.provide(FetchHttpClient.layer),
  ),
}).pipe(Layer.provide(NodeStdio.layer))

// Stdout belongs to the protocol.
NodeRuntime.runMain(Layer.launch(Server.pipe(Layer.provide(Layer.succeed(Logger.LogToStderr, true)))))
