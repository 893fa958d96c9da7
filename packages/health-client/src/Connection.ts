/** The connection to a service, which its clients share: base URL, credential, limits, retry budget and vendor. */
import * as Credential from "@vigil/core-http/Credential"
import { isSegment } from "@vigil/core-http/PathSegment"
import * as ServiceClient from "@vigil/core-http/ServiceClient"
import { InvalidSetting } from "@vigil/core-http/SettingsError"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type * as HttpClient from "effect/http/HttpClient"

/** Options of a connection. @category models @since 0.2.0 */
export interface Options extends ServiceClient.Settings {
  /** The base URL of the service. */
  readonly baseUrl: string
  /** Authorizes requests, such as `Credential.bearer(token)`. */
  readonly credential: Credential.Credential
  /** The vendor in `<vendor>.ResourceHealth` and in the field `enable<vendor>Support`. Default: `Vendor`. */
  readonly vendor?: string | undefined
}

/** A connected service. @category models @since 0.3.0 */
export interface Service {
  /** For requests that the clients have no method for. */
  readonly service: ServiceClient.Service
  readonly vendor: string
}

/**
 * The connection of the clients in the context. `HealthClient.layer` and `AvailabilityClient.layer` take it, so that they share rate limit, permits,
 * retry budget and credential.
 * @category tags @since 0.3.0
 */
export class Connection extends Context.Service<Connection, Service>()("@vigil/health-client/Connection") {}

/**
 * Connects to the service on the application's `HttpClient`. Fails with `InvalidSetting` if an option is invalid, also if the credential would
 * be sent over plain HTTP.
 * @category constructors @since 0.2.0
 */
export const make = ({
  vendor = "Vendor",
  ...settings
}: Options): Effect.Effect<Service, InvalidSetting, HttpClient.HttpClient | Scope.Scope> =>
  isSegment(vendor)
    ? Effect.map(
        ServiceClient.make({
          ...settings,
          service: "health",
          // Spans show what a list contains.
          shownParameters: ["api-version", "$filter", "$expand", "queryStartTime"],
          // A cursor is part of the access to a list.
          secretParameters: ["$skipToken"],
          requestIdHeaders: ["x-ms-request-id"],
          // Of the public service. The tenant has a limit of its own.
          refusesAll: (headers) => headers["x-ms-ratelimit-remaining-tenant-reads"] === "0",
        }),
        (service) => ({ service, vendor }),
      )
    : new InvalidSetting({ setting: "vendor", expected: "a name that can be part of a path" })

/** Reads `HEALTH_BASE_URL`, `HEALTH_ACCESS_TOKEN` (redacted) and `HEALTH_VENDOR` (default: `Vendor`). @category config @since 0.2.0 */
export const config: Config.Config<Options> = /* @__PURE__ */ Config.all({
  baseUrl: /* @__PURE__ */ Config.String("HEALTH_BASE_URL"),
  credential: /* @__PURE__ */ Config.map(/* @__PURE__ */ Config.Redacted("HEALTH_ACCESS_TOKEN"), Credential.bearer),
  vendor: /* @__PURE__ */ Config.withDefault(/* @__PURE__ */ Config.NonEmptyString("HEALTH_VENDOR"), "Vendor"),
})

/** Provides the connection. Two layers of this function are two connections, also with equal options. @category layers @since 0.3.0 */
export const layer = (options: Options): Layer.Layer<Connection, InvalidSetting, HttpClient.HttpClient> =>
  Layer.effect(Connection, make(options))

/**
 * Provides the connection. Takes a `Config` of the options, or a record with a `Config` of each, as the clients of Effect do. Pass constants with
 * `Config.succeed`. Default: `config`.
 * @category layers @since 0.3.0
 */
export const layerConfig = (
  options: Config.Wrap<Options> = config,
): Layer.Layer<Connection, Config.ConfigError | InvalidSetting, HttpClient.HttpClient> =>
  Layer.effect(Connection, Effect.flatMap(Config.unwrap(options), make))
