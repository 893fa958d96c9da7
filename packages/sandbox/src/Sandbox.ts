/** Both services as one real HTTP server on loopback, over a world that is made from a seed. */
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpMiddleware from "@effect/platform/HttpMiddleware"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as HttpServerError from "@effect/platform/HttpServerError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import type * as Scope from "effect/Scope"
import * as Accounts from "./Accounts.js"
import * as appManagementApi from "./internal/appmgmt/api.js"
import * as tokenStore from "./internal/appmgmt/tokens.js"
import * as authorizePage from "./internal/authorize.js"
import * as healthApi from "./internal/healthApi.js"
import * as listen from "./internal/listen.js"
import * as openApi from "./internal/openapi/api.js"
import * as portalPages from "./internal/portal/api.js"
import * as requests from "./internal/requests.js"
import type * as Tokens from "./Tokens.js"
import * as World from "./World.js"

export type { Refusal, Refuse, Request } from "./internal/requests.js"

/**
 * What is served, and where.
 * @category models
 * @since 0.1.0
 */
export interface Options {
  /** Which world, and which accounts. Default: 1. */
  readonly seed?: number | undefined
  /** The instant at which the world stands still, in milliseconds since 1970. Default: when the sandbox starts. */
  readonly now?: number | undefined
  /** The vendor part of `<vendor>.ResourceHealth` and of `enable<vendor>Support`. Default: `Vendor`. */
  readonly vendor?: string | undefined
  /** The port, always on loopback. Default: 0, one that the system chooses. */
  readonly port?: number | undefined
  /** How many subscriptions there are, at least 2. Default: 2. */
  readonly subscriptions?: number | undefined
  /** How many events a page holds, at least 1. Default: 50. */
  readonly pageSize?: number | undefined
  /** Whether the access token has the right to `fetchEventDetails`; without it the answer is a 403. Default: yes. */
  readonly details?: boolean | undefined
  /** How many requests `requests` keeps: the last ones. Default: 1000. */
  readonly requestsKept?: number | undefined
  /** Whether all is served over TLS as well, at a second address. Default: no. */
  readonly tls?: boolean | undefined
  /** Whether pages of any origin may ask both APIs from a browser (CORS); never the portal and the authorize page. Default: no. */
  readonly cors?: boolean | undefined
}

/**
 * Where all is served over TLS, by whatever name this machine has for itself (`localhost`, `127.0.0.1`). The certificate (PEM) was
 * made at the start and is signed by itself: no client trusts it that is not given it.
 * @category models
 * @since 0.1.0
 */
export interface Tls {
  /** The second address. */
  readonly baseUrl: string
  /** For the trust of a client, such as `NODE_EXTRA_CA_CERTS`. */
  readonly certificate: string
}

/**
 * A running sandbox. Both APIs are served under `baseUrl`; each takes its own token. It is the document's `{auth_url}` as well:
 * `GET /common/oauth2/authorize` hands out the access token by the implicit flow. And it is `{portal_url}`: at `/portal`, tokens are
 * created and deleted by a person, and apps have their pages.
 * @category models
 * @since 0.1.0
 */
export interface Service {
  readonly baseUrl: string
  /** Where it is served over TLS too, if `tls` was asked for. */
  readonly tls: Tls | undefined
  /** For the health events API: `Authorization: Bearer …`. */
  readonly accessToken: Redacted.Redacted
  /** For the app management API: `X-API-Token: …`. A user token of the accounts' first user, with full access. */
  readonly apiToken: Redacted.Redacted
  /** The world at the start. */
  readonly world: World.World
  /** The world as it is now. */
  readonly current: Effect.Effect<World.World>
  /**
   * Changes the world, at once and as a whole: each request is answered from the world that it finds, its `now` included. A list
   * whose next page is asked for goes on at the same place of what the list then is: an event may be on two pages, or on none.
   */
  readonly change: (f: (world: World.World) => World.World) => Effect.Effect<void>
  /** The accounts at the start. */
  readonly accounts: Accounts.Accounts
  /** The accounts as they are now. */
  readonly currentAccounts: Effect.Effect<Accounts.Accounts>
  /** Changes the accounts, at once and as a whole: each request is answered from those that it finds. */
  readonly changeAccounts: (f: (accounts: Accounts.Accounts) => Accounts.Accounts) => Effect.Effect<void>
  /** The tokens of the app management API: those that there are, new ones of each kind, and their end. */
  readonly tokens: Tokens.Service
  /** The requests so far, in the order of arrival: the last 1000, unless `requestsKept` says otherwise. */
  readonly requests: Effect.Effect<ReadonlyArray<requests.Request>>
  /**
   * The most requests that were ever in flight at the same time: that had arrived, and were not yet answered. The sandbox answers
   * at once; to see all that a client has in flight, hold them by `refuse`.
   */
  readonly mostAtOnce: Effect.Effect<number>
  /**
   * From now on, and until it is called again, answers the requests for which there is a status with an error of this status,
   * before anything else is looked at: in the gateway's nested form, and under `/v0.1` in that of the app management API.
   * `refuse(() => undefined)` ends it.
   */
  readonly refuse: (refuse: requests.Refuse) => Effect.Effect<void>
}

/**
 * A running sandbox, as a service of an application or a test.
 * @category tags
 * @since 0.1.0
 */
export class Sandbox extends Context.Tag("@vigil/sandbox/Sandbox")<Sandbox, Service>() {}

/** Lets pages of every origin send requests, and read the headers that clients need (Fetch standard, "CORS protocol"). */
const allowOrigins = HttpMiddleware.cors({
  allowedMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  exposedHeaders: ["retry-after", "x-ms-request-id", "x-request-id", "request-id"],
})

/**
 * Starts a sandbox, which stops with its scope, whatever its connections are doing. Fails with `ServeError` if the port is taken.
 * @category constructors
 * @since 0.1.0
 */
export const make = ({
  cors = false,
  details = true,
  pageSize = 50,
  port = 0,
  requestsKept = 1_000,
  tls = false,
  ...options
}: Options = {}): Effect.Effect<Service, HttpServerError.ServeError, Scope.Scope> =>
  Effect.gen(function* () {
    const world = World.make({ ...options, now: options.now ?? (yield* Clock.currentTimeMillis) })
    const worlds = yield* Ref.make(world)
    const accounts = Accounts.make(options)
    const allAccounts = yield* Ref.make(accounts)
    const currentAccounts = Ref.get(allAccounts)
    const changeAccounts: Service["changeAccounts"] = (f) => Ref.update(allAccounts, f)
    const accessToken = Redacted.make("sandbox-access-token")
    const apiToken = Redacted.make("sandbox-api-token")
    const tokens = yield* tokenStore.make(currentAccounts, apiToken)
    const { mostAtOnce, recorded, refusable, refuse, ...memory } = requests.make(requestsKept, appManagementApi.serves)

    const application: listen.Application = (baseUrl) => {
      const documents = openApi.make(baseUrl, Ref.get(worlds))
      const appManagement = appManagementApi.make({ current: currentAccounts, change: changeAccounts, tokens })
      const portal = portalPages.make({ baseUrl, current: currentAccounts, tokens })
      const authorize = authorizePage.make(accessToken)
      const health = healthApi.make({ accessToken, baseUrl, current: Ref.get(worlds), pageSize, details })
      // Each request belongs to the first part that serves its target.
      const parts = [documents, appManagement, portal, authorize, health]
      return recorded(
        Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }): HttpApp.Default => {
          const part = parts.find(({ serves }) => serves(url)) ?? health
          const app = refusable(part.app)
          // The portal and the authorize page hand out tokens: no page of another origin may read them.
          return cors && part !== portal && part !== authorize ? allowOrigins(app) : app
        }),
      )
    }
    const baseUrl = yield* listen.plain(port, application)
    return {
      baseUrl,
      tls: tls ? yield* listen.tls(application) : undefined,
      accessToken,
      apiToken,
      world,
      current: Ref.get(worlds),
      change: (f) => Ref.update(worlds, f),
      accounts,
      currentAccounts,
      changeAccounts,
      tokens,
      requests: memory.requests,
      mostAtOnce,
      refuse,
    }
  })

/**
 * A sandbox as a layer, for tests and first steps.
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options = {}): Layer.Layer<Sandbox, HttpServerError.ServeError> =>
  Layer.scoped(Sandbox, make(options))
