/** The HTTP clients that the packages support, as layers. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Agent } from "@effect/platform-node/Undici"
import * as Faults from "@vigil/sandbox/Faults"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export type Name = "fetch" | "node" | "undici"

type HttpLayer = Layer.Layer<HttpClient.HttpClient>

const plain: Readonly<Record<Name, HttpLayer>> = {
  fetch: FetchHttpClient.layer,
  node: NodeHttpClient.layer,
  undici: NodeHttpClient.layerUndici,
}

const isChosen = (name: string): boolean => process.env["HTTP_LAYERS"]?.split(",").includes(name) ?? true

/** The names of all HTTP clients, or of those that `HTTP_LAYERS` lists. */
export const names: ReadonlyArray<Name> = (["fetch", "node", "undici"] as const).filter(isChosen)

/** The HTTP client for tests that do not depend on it: undici, unless `HTTP_LAYERS` excludes it. */
export const one: Name = names.at(-1) ?? "undici"

export const layers: ReadonlyArray<readonly [name: Name, layer: HttpLayer]> = names.map((name) => [name, plain[name]])

export const oneLayer: HttpLayer = plain[one]

/** The HTTP client of this name, which trusts the certificate of the sandbox and of the fault servers. */
export const trusting = (name: Name): HttpLayer => {
  const ca = Faults.certificate
  const dispatcher = Effect.acquireRelease(
    Effect.sync(() => new Agent({ connect: { ca } })),
    (agent) => Effect.promise(() => agent.destroy()),
  )
  switch (name) {
    case "fetch": {
      // `dispatcher` is Node's own option of `fetch`.
      const init = Effect.map(dispatcher, (agent) => Object.assign<RequestInit, object>({}, { dispatcher: agent }))
      return Layer.provideMerge(FetchHttpClient.layer, Layer.scoped(FetchHttpClient.RequestInit, init))
    }
    case "node":
      return Layer.provide(NodeHttpClient.layerWithoutAgent, NodeHttpClient.makeAgentLayer({ ca }))
    case "undici":
      return Layer.provide(
        NodeHttpClient.layerUndiciWithoutDispatcher,
        Layer.scoped(NodeHttpClient.Dispatcher, dispatcher),
      )
  }
}

/** The HTTP client for a named fault: it trusts the certificate of the server, unless that is the fault. */
export const forFault = (name: Name, { name: fault, tls }: Pick<Faults.Scenario, "name" | "tls">): HttpLayer =>
  tls && fault !== "tls-untrusted" ? trusting(name) : plain[name]
