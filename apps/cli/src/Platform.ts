/** What commands need of Node: files, the terminal, and HTTP. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RequestLog from "./RequestLog.js"

const http = Layer.provide(
  Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, RequestLog.add)),
  NodeHttpClient.layerUndici,
)

/** All of it. */
export const layer = Layer.merge(NodeContext.layer, http)
