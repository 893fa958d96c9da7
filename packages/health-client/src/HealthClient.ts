/** The client of the health events API: lists, searches and details as streams and effects. */
import * as Credential from "@vigil/core-http/Credential"
import { isSegment } from "@vigil/core-http/PathSegment"
import * as Retry from "@vigil/core-http/Retry"
import * as ServiceClient from "@vigil/core-http/ServiceClient"
import { InvalidSetting } from "@vigil/core-http/SettingsError"
import type * as HttpClient from "effect/http/HttpClient"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { operations } from "./internal/operations.js"
import type { Service } from "./internal/service.js"
import * as testService from "./internal/testService.js"
import type { TestData } from "./TestData.js"

export type { Service } from "./internal/service.js"

/** Options of the client. @category models @since 0.1.0 */
export interface Options extends ServiceClient.Settings {
  /** The base URL of the service. */
  readonly baseUrl: string
  /** Authorizes requests, such as `Credential.bearer(token)`. */
  readonly credential: Credential.Credential
  /** The vendor in `<vendor>.ResourceHealth` and in the field `enable<vendor>Support`. Default: `Vendor`. */
  readonly vendor?: string | undefined
}

/** The tag of the client service. @category tags @since 0.1.0 */
export class HealthClient extends Context.Service<HealthClient, Service>()("@vigil/health-client/HealthClient") {}

/** Spans show what a list contains. A cursor is part of the access to a list. */
const parameters = {
  shownParameters: ["api-version", "$filter", "queryStartTime"],
  secretParameters: ["$skipToken"],
}

/**
 * Creates the client on the application's `HttpClient`. Fails with `InvalidSetting` if an option is invalid, also if the credential would be
 * sent over plain HTTP.
 * @category constructors @since 0.1.0
 */
export const make = ({
  vendor = "Vendor",
  ...settings
}: Options): Effect.Effect<Service, InvalidSetting, HttpClient.HttpClient | Scope.Scope> =>
  isSegment(vendor)
    ? Effect.map(ServiceClient.make({ ...settings, ...parameters, service: "health" }), (service) =>
        operations(service, vendor),
      )
    : new InvalidSetting({ setting: "vendor", expected: "a name that can be part of a path" })

/** Provides the client. @category layers @since 0.1.0 */
export const layer = (options: Options): Layer.Layer<HealthClient, InvalidSetting, HttpClient.HttpClient> =>
  Layer.effect(HealthClient, make(options))

/** Reads `HEALTH_BASE_URL`, `HEALTH_ACCESS_TOKEN` (redacted) and `HEALTH_VENDOR` (default: `Vendor`). @category config @since 0.1.0 */
export const config: Config.Config<Options> = /* @__PURE__ */ Config.all({
  baseUrl: /* @__PURE__ */ Config.String("HEALTH_BASE_URL"),
  credential: /* @__PURE__ */ Config.map(/* @__PURE__ */ Config.Redacted("HEALTH_ACCESS_TOKEN"), Credential.bearer),
  vendor: /* @__PURE__ */ Config.withDefault(/* @__PURE__ */ Config.NonEmptyString("HEALTH_VENDOR"), "Vendor"),
})

/**
 * Provides the client. Takes a `Config` of the options, or a record with a `Config` of each, as the clients of Effect do. Pass constants with
 * `Config.succeed`. Default: `config`.
 * @category layers @since 0.1.0
 */
export const layerConfig = (
  options: Config.Wrap<Options> = config,
): Layer.Layer<HealthClient, Config.ConfigError | InvalidSetting, HttpClient.HttpClient> =>
  Layer.effect(HealthClient, Effect.flatMap(Config.unwrap(options), make))

/**
 * Provides the client with an in-memory service that returns `data`. The service ignores `$filter` and `queryStartTime`; the client itself
 * omits events updated before it, unless it is raw. Retries never wait. To test filters, use `@vigil/sandbox`.
 * @category testing @since 0.1.0
 */
export const layerTest = (data: TestData = {}): Layer.Layer<HealthClient> =>
  Layer.orDie(
    layer({
      baseUrl: testService.baseUrl,
      credential: Credential.none,
      retry: Retry.exponential(0, 3),
      // A response that repeats cannot become a success by waiting.
      maxRetryAfter: 0,
    }),
  ).pipe(Layer.provide(testService.layer(data)))
