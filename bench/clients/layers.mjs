/** The three HTTP clients that an application may bring. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Layer from "effect/Layer"

export const layers = {
  undici: NodeHttpClient.layerUndici,
  fetch: FetchHttpClient.layer,
  // Its own agent opens a connection for each request; the other two keep theirs.
  node: Layer.provide(NodeHttpClient.layerWithoutAgent, NodeHttpClient.makeAgentLayer({ keepAlive: true })),
}
