/** Both services as one real HTTP server on loopback, over a world that is made from a seed. */
import { createServer } from "node:http"
import * as HttpRouter from "@effect/platform/HttpRouter"
import type * as HttpServerError from "@effect/platform/HttpServerError"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as appmgmtApi from "./internal/appmgmtApi.js"
import * as healthApi from "./internal/healthApi.js"
import * as World from "./World.js"

/**
 * What is served, and where.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  /** Which world. Default: 1. */
  readonly seed?: number | undefined
  /** The instant at which the world stands still, in milliseconds since 1970. Default: when the sandbox starts. */
  readonly now?: number | undefined
  /** The vendor part of `<vendor>.ResourceHealth` and of `enable<vendor>Support`. Default: `Vendor`. */
  readonly vendor?: string | undefined
  /** The port, always on loopback. Default: 0, one that the system chooses. */
  readonly port?: number | undefined
}

/**
 * A running sandbox. Both APIs are served under `baseUrl`; each takes its own token.
 *
 * @category models
 * @since 0.1.0
 */
export interface Service {
  readonly baseUrl: string
  /** For the health events API: `Authorization: Bearer …`. */
  readonly accessToken: Redacted.Redacted
  /** For the app management API: `X-API-Token: …`. */
  readonly apiToken: Redacted.Redacted
  readonly world: World.World
}

/**
 * @category tags
 * @since 0.1.0
 */
export class Sandbox extends Context.Tag("@vigil/sandbox/Sandbox")<Sandbox, Service>() {}

/**
 * Starts a sandbox that stops with its scope. Fails with `ServeError` when the port is taken.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = ({ port = 0, ...options }: Options = {}): Effect.Effect<
  Service,
  HttpServerError.ServeError,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const world = World.make({ ...options, now: options.now ?? (yield* Clock.currentTimeMillis) })
    const accessToken = Redacted.make("sandbox-access-token")
    const apiToken = Redacted.make("sandbox-api-token")
    const server = yield* NodeHttpServer.make(() => createServer(), { host: "127.0.0.1", port })
    const chosen = server.address._tag === "TcpAddress" ? server.address.port : port
    const baseUrl = `http://127.0.0.1:${chosen}`
    yield* server.serve(
      HttpRouter.concat(appmgmtApi.routes(apiToken), healthApi.routes({ accessToken, baseUrl, world })).pipe(
        Effect.catchTag("RouteNotFound", () => healthApi.noSuchPath),
      ),
    )
    return { baseUrl, accessToken, apiToken, world }
  })

/**
 * A sandbox as a layer, for tests and first steps.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options = {}): Layer.Layer<Sandbox, HttpServerError.ServeError> =>
  Layer.scoped(Sandbox, make(options))
