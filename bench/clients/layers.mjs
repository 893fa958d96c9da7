/** The three HTTP clients that an application may bring. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"

export const layers = {
  undici: NodeHttpClient.layerUndici,
  fetch: FetchHttpClient.layer,
  node: NodeHttpClient.layer,
}
