/** The HTTP clients that the packages support, as layers. */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Faults from "@vigil/sandbox/Faults"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Undici from "undici"

export type Name = "fetch" | "node" | "undici"

type HttpLayer = Layer.Layer<HttpClient.HttpClient>

const plain: Readonly<Record<Name, HttpLayer>> = {
  fetch: FetchHttpClient.layer,
  node: NodeHttpClient.layerNodeHttpOptions({ keepAlive: true }),
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
  switch (name) {
    case "fetch": {
      // The `fetch` of the package: Node's own accepts no agent of another version.
      const trustingFetch = Effect.map(
        Effect.acquireRelease(
          Effect.sync(() => new Undici.Agent({ connect: { ca } })),
          (agent) => Effect.promise(() => agent.destroy()),
        ),
        (dispatcher): typeof fetch =>
          // Its types are those of the package.
          (input, init) =>
            Undici.fetch(input as string, { ...(init as object), dispatcher }) as Promise<never>,
      )
      return Layer.provideMerge(FetchHttpClient.layer, Layer.effect(FetchHttpClient.Fetch, trustingFetch))
    }
    case "node":
      return NodeHttpClient.layerNodeHttpOptions({ ca, keepAlive: true })
    case "undici":
      return NodeHttpClient.layerUndiciOptions({ connect: { ca } })
  }
}

/** The HTTP client for a named fault: it trusts the certificate of the server, unless that is the fault. */
export const forFault = (name: Name, { name: fault, tls }: Pick<Faults.Scenario, "name" | "tls">): HttpLayer =>
  tls && fault !== "tls-untrusted" ? trusting(name) : plain[name]
