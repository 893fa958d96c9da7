/** What commands need of Node: files, the terminal, and HTTP. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Layer from "effect/Layer"

/** All of it. */
export const layer = Layer.merge(NodeContext.layer, NodeHttpClient.layerUndici)
