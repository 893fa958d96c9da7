/** The supported HTTP clients. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Layer from "effect/Layer"

export const layers = {
  undici: NodeHttpClient.layerUndici,
  fetch: FetchHttpClient.layer,
  // By default, its agent opens a connection per request. The other two keep connections alive.
  node: Layer.provide(NodeHttpClient.layerWithoutAgent, NodeHttpClient.makeAgentLayer({ keepAlive: true })),
}
