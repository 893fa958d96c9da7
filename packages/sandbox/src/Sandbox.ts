/** Both services as one real HTTP server on loopback, with data made from a seed. */
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerError from "effect/http/HttpServerError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import type * as Scope from "effect/Scope"
import * as Accounts from "./Accounts.js"
import * as appManagementApi from "./internal/appmgmt/api.js"
import * as portalPages from "./internal/appmgmt/portal.js"
import * as tokenStore from "./internal/appmgmt/tokens.js"
import * as authorizePage from "./internal/authorize.js"
import * as healthApi from "./internal/healthApi.js"
import * as listen from "./internal/listen.js"
import * as openApi from "./internal/openapi/api.js"
import * as requests from "./internal/requests.js"
import type { App } from "./internal/router.js"
import type * as Tokens from "./Tokens.js"
import { periodOf } from "./internal/world/live.js"
import * as World from "./World.js"

export type { Refusal, Refuse, Request } from "./internal/requests.js"

/** Options of a sandbox. @category models @since 0.1.0 */
export interface Options {
  /** Determines the world. Default: 1. */
  readonly seed?: number | undefined
  /** The fixed time of the world, in milliseconds since 1970. Default: the current time. It is rounded down to a minute unless `changeEvery` is set. */
  readonly now?: number | undefined
  /**
   * Changes one event of each subscription every time this duration passes, at least 1 second (see `World.advance`). The time of the world
   * then starts at `now` and follows the clock. Default: nothing changes.
   */
  readonly changeEvery?: Duration.Input | undefined
  /** The vendor in `<vendor>.ResourceHealth` and `enable<vendor>Support`. Default: `Vendor`. */
  readonly vendor?: string | undefined
  /** The port on loopback. Default: 0 (the system chooses). */
  readonly port?: number | undefined
  /** The number of subscriptions, at least 2. Default: 2. */
  readonly subscriptions?: number | undefined
  /** The number of resources per subscription, at least 6. Default: 6. */
  readonly resources?: number | undefined
  /** The number of entries per page, at least 1. Default: 50. */
  readonly pageSize?: number | undefined
  /** Whether the access token may get details of events and list the resources of security advisories. Otherwise: 403. Default: `true`. */
  readonly details?: boolean | undefined
  /** How many of the last requests `requests` contains. Default: 1000. */
  readonly maxRecordedRequests?: number | undefined
  /** Allow browsers to call both APIs from any origin (CORS), but not the authorize page. Default: `false`. */
  readonly cors?: boolean | undefined
}

/**
 * A running sandbox: both APIs, the `{auth_url}` (`/common/oauth2/authorize`), and the pages of apps of the documents.
 * @category models @since 0.1.0
 */
export interface Service {
  readonly baseUrl: string
  /** For the health events API: `Authorization: Bearer …`. */
  readonly accessToken: Redacted.Redacted
  /** For the app management API: `X-API-Token: …`. A full-access user token of the first user. */
  readonly apiToken: Redacted.Redacted
  /** The world when the sandbox started. */
  readonly world: World.World
  readonly current: Effect.Effect<World.World>
  /** Changes the world atomically. A `$skipToken` keeps its offset, so an event may then be on two pages or on none. */
  readonly change: (f: (world: World.World) => World.World) => Effect.Effect<void>
  /** Begins with `Accounts.initial`. */
  readonly currentAccounts: Effect.Effect<Accounts.Accounts>
  /** Changes the accounts atomically. */
  readonly changeAccounts: (f: (accounts: Accounts.Accounts) => Accounts.Accounts) => Effect.Effect<void>
  readonly tokens: Tokens.Service
  /** The last requests (see `maxRecordedRequests`), in order of arrival. */
  readonly requests: Effect.Effect<ReadonlyArray<requests.Request>>
  /** The highest number of requests in flight at the same time. To keep requests in flight, delay them with `refuse`. */
  readonly maxInFlight: Effect.Effect<number>
  /**
   * Sets the function that decides which requests get an error response, and replaces the previous one. The sandbox calls it before it
   * checks the path or the token. `refuse(() => undefined)` removes it.
   */
  readonly refuse: (refuse: requests.Refuse) => Effect.Effect<void>
}

/** A running sandbox, as a service. @category tags @since 0.1.0 */
export class Sandbox extends Context.Service<Sandbox, Service>()("@vigil/sandbox/Sandbox") {}

const allowOrigins = HttpMiddleware.cors({
  allowedMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  exposedHeaders: ["retry-after", "x-ms-request-id", "x-request-id", "request-id"],
})

let lastWorld: { readonly key: string; readonly world: World.World } | undefined

/** Makes the world, or returns that of the last sandbox if the options are the same: tests start many sandboxes. */
const makeWorld = (options: World.Options): World.World => {
  const key = JSON.stringify(options)
  if (lastWorld?.key !== key) lastWorld = { key, world: World.make(options) }
  return lastWorld.world
}

/** The world of a running sandbox. With `changeEvery`, its time and its events follow the clock. */
const makeChangingWorld = Effect.fnUntraced(function* (seeded: World.World, changeEvery: Duration.Input | undefined) {
  // Requests run elsewhere: the clock of a test must reach them.
  const clock = yield* Clock.Clock
  const startTime = yield* clock.currentTimeMillis
  const advanceTo = (time: number) =>
    changeEvery === undefined
      ? identity<World.World>
      : World.advance({ changeEvery, now: seeded.now + time - startTime })
  // The events that changed last, which are still active for the most part, are there from the start.
  const earlier = changeEvery === undefined ? seeded.now : seeded.now - periodOf(changeEvery)
  const world = advanceTo(startTime)(World.setNow(earlier)(seeded))
  const worlds = yield* Ref.make(world)
  const change = (f: (world: World.World) => World.World): Effect.Effect<void> =>
    Effect.flatMap(clock.currentTimeMillis, (time) => Ref.update(worlds, (old) => f(advanceTo(time)(old))))
  return { world, change, current: Effect.andThen(change(identity), Ref.get(worlds)) }
})

/**
 * Starts a sandbox. It stops when its scope closes, even with open connections. Fails with `ServeError` if the port is in use.
 * @category constructors @since 0.1.0
 */
export const make = ({
  changeEvery,
  cors = false,
  details = true,
  pageSize = 50,
  port = 0,
  maxRecordedRequests = 1_000,
  ...options
}: Options = {}): Effect.Effect<Service, HttpServerError.ServeError, Scope.Scope> =>
  Effect.gen(function* () {
    const time = yield* Clock.currentTimeMillis
    const now = options.now ?? (changeEvery === undefined ? Math.floor(time / 60_000) * 60_000 : time)
    const { world, current, change } = yield* makeChangingWorld(makeWorld({ ...options, now }), changeEvery)
    const allAccounts = yield* Ref.make(Accounts.initial)
    const currentAccounts = Ref.get(allAccounts)
    const changeAccounts: Service["changeAccounts"] = (f) => Ref.update(allAccounts, f)
    const accessToken = Redacted.make("sandbox-access-token")
    const apiToken = Redacted.make("sandbox-api-token")
    const tokens = yield* tokenStore.make(currentAccounts, apiToken)
    const { applyRefusals, record, ...recorder } = requests.make(maxRecordedRequests, appManagementApi.serves)

    const application = (baseUrl: string) => {
      const documents = openApi.make(baseUrl, current)
      const appManagement = appManagementApi.make({ current: currentAccounts, change: changeAccounts, tokens })
      const portal = portalPages.make(currentAccounts)
      const authorize = authorizePage.make(accessToken)
      const health = healthApi.make({ accessToken, baseUrl, current, pageSize, details })
      const parts = [documents, appManagement, portal, authorize, health]
      return record(
        Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }): App => {
          const part = parts.find(({ serves }) => serves(url)) ?? health
          const app = applyRefusals(part.app)
          // The authorize page returns a token: pages of other origins must not read them.
          return cors && part !== authorize ? allowOrigins(app) : app
        }),
      )
    }
    const baseUrl = yield* listen.serve(port, application)
    return {
      baseUrl,
      accessToken,
      apiToken,
      world,
      current,
      change,
      currentAccounts,
      changeAccounts,
      tokens,
      ...recorder,
    }
  })

/** A sandbox as a layer, for tests and first steps. @category layers @since 0.1.0 */
export const layer = (options: Options = {}): Layer.Layer<Sandbox, HttpServerError.ServeError> =>
  Layer.effect(Sandbox, make(options))
