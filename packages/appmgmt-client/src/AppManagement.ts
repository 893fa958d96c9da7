/** The client of the app management API. */
import * as Credential from "@vigil/core-http/Credential"
import type { RequestError } from "@vigil/core-http/RequestError"
import * as ServiceClient from "@vigil/core-http/ServiceClient"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Config from "effect/Config"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as User from "./User.js"

/**
 * How the service is reached.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options extends ServiceClient.Settings {
  /** The service's base address, `{base_url}` of the document. */
  readonly baseUrl: string
  /** The API token, sent as `X-API-Token` (document, "Authentication"): a secret, or an effect that has it. */
  readonly apiToken: Credential.Secret
}

/**
 * @category models
 * @since 0.1.0
 */
export interface Service {
  /** The profile of the user that the token belongs to. */
  readonly user: Effect.Effect<User.User, RequestError>
}

/**
 * @category tags
 * @since 0.1.0
 */
export class AppManagement extends Context.Tag("@vigil/appmgmt-client/AppManagement")<AppManagement, Service>() {}

/**
 * Makes the client on top of the application's `HttpClient`. Fails with `InvalidBaseUrl` when `baseUrl` is no address, with
 * `InvalidSetting` when a limit would limit nothing or stop everything, and with `CredentialError` when the token would travel in clear.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = ({
  apiToken,
  ...options
}: Options): Effect.Effect<Service, ServiceClient.MakeError, HttpClient.HttpClient> =>
  Effect.map(
    ServiceClient.make({
      ...options,
      credential: Credential.header("x-api-token", apiToken),
    }),
    (service) => ({
      user: service.get({ operation: "AppManagement.user", url: service.url("/v0.1/user"), decode: User.decode }),
    }),
  )

/**
 * The client as a layer.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options): Layer.Layer<AppManagement, ServiceClient.MakeError, HttpClient.HttpClient> =>
  Layer.effect(AppManagement, make(options))

/**
 * The options by their default names: `APPMGMT_BASE_URL`, and `APPMGMT_API_TOKEN` (redacted).
 *
 * @category config
 * @since 0.1.0
 */
export const config: Config.Config<Options> = Config.all({
  baseUrl: Config.string("APPMGMT_BASE_URL"),
  apiToken: Config.redacted("APPMGMT_API_TOKEN"),
})

/**
 * The client as a layer, its options from the configuration: `config`, unless another one is given.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerConfig = (
  options: Config.Config<Options> = config,
): Layer.Layer<AppManagement, ConfigError.ConfigError | ServiceClient.MakeError, HttpClient.HttpClient> =>
  Layer.effect(AppManagement, Effect.flatMap(options, make))
