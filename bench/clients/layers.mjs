/** The supported HTTP clients. */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"

export const layers = {
  undici: NodeHttpClient.layerUndici,
  fetch: FetchHttpClient.layer,
  node: NodeHttpClient.layerNodeHttp,
}
