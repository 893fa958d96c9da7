/** The client of the app management API. */
import * as ClientConfig from "@vigil/core-http/ClientConfig"
import * as Credential from "@vigil/core-http/Credential"
import type { Decoder } from "@vigil/core-http/Decoder"
import * as ServiceClient from "@vigil/core-http/ServiceClient"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Config from "effect/Config"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type * as ApiToken from "./ApiToken.js"
import * as App from "./App.js"
import type { CallError, RemoveUserError } from "./AppManagementError.js"
import type { AppName } from "./AppName.js"
import type { Email } from "./Email.js"
import type * as Endpoint from "./Endpoint.js"
import * as call from "./internal/call.js"
import * as endpoint from "./internal/endpoint.js"
import { removeUser } from "./internal/removeUser.js"
import * as testService from "./internal/testService.js"
import type { Removal } from "./Removal.js"
import * as User from "./User.js"

export type { TestData } from "./internal/testService.js"

/**
 * How the service is reached.
 * @category models
 * @since 0.1.0
 */
export interface Options extends ServiceClient.Settings {
  /** The service's base address, `{base_url}` of the document. */
  readonly baseUrl: string
  /**
   * The API token, sent as `X-API-Token` (document, "Authentication").
   *
   * Either its secret: a `Redacted`, or an effect that returns one (a vault), which runs again after a 401. A failure of the effect is a
   * `CredentialError` that does not show the cause, which may hold the secret; to see the error of a file, run `TokenFile.read` first.
   *
   * Or its secret with a description: `ApiToken.user({ secret, access })`, `ApiToken.app({ secret, access, app })`. Then a call that the
   * token has no right to fails with `TokenScopeError`, and nothing is sent.
   *
   * Never write a token in source code. Delete one that leaked in the portal at once.
   */
  readonly apiToken: Credential.Secret | ApiToken.ApiToken
}

/**
 * What the client does: each call needs nothing, and fails with errors that are told apart by `_tag`.
 * @category models
 * @since 0.1.0
 */
export interface Service {
  /** The profile of the user that the token belongs to. */
  readonly user: Effect.Effect<User.User, CallError>
  /**
   * The apps that the token reaches: `GET v0.1/apps`. **A default from the field notes** ("App management"): the document says that a command
   * line lists them, and not how.
   */
  readonly apps: Effect.Effect<ReadonlyArray<App.App>, CallError>
  /**
   * Removes a user from an app. It is safe to repeat, so the client retries it as it retries a GET: after a lost response, a timeout, a
   * 408, 429, 500, 502, 503 or 504, as far as the retry policy allows.
   *
   * A 404 with the code `UserNotFound` is a `UserNotFound`, or the result `RemovedEarlier` if an earlier attempt of the call may have been
   * carried out. A 404 with the code `AppNotFound` is an `AppNotFound`, and any other 404 an `AppOrUserNotFound`.
   *
   * The e-mail address is part of the URL, and so of `url.full` in the span: personal data.
   */
  readonly removeUser: (app: AppName, email: Email) => Effect.Effect<Removal, RemoveUserError>
  /** A request of one's own, to any other endpoint under `v0.1`. */
  readonly request: Endpoint.Send
}

/**
 * The client, as a service of an application.
 * @category tags
 * @since 0.1.0
 */
export class AppManagement extends Context.Tag("@vigil/appmgmt-client/AppManagement")<AppManagement, Service>() {}

/** The secret, and the description of the token without it. */
const split = (
  apiToken: Options["apiToken"],
): readonly [secret: Credential.Secret, token: ApiToken.Description | undefined] => {
  if (Redacted.isRedacted(apiToken) || Effect.isEffect(apiToken)) return [apiToken, undefined]
  const { secret, ...token } = apiToken
  return [Redacted.value(secret), Data.struct(token)]
}

/**
 * Makes the client on top of the application's `HttpClient`. Fails with `InvalidBaseUrl` if `baseUrl` is invalid, with
 * `InvalidSetting` if another option is, and with `CredentialError` if the token would be sent over plain HTTP.
 * @category constructors
 * @since 0.1.0
 */
export const make = ({
  apiToken,
  ...settings
}: Options): Effect.Effect<Service, ServiceClient.MakeError, HttpClient.HttpClient | Scope.Scope> => {
  const [secret, token] = split(apiToken)
  return Effect.map(
    ServiceClient.make({
      ...settings,
      service: "app-management",
      credential: Credential.header("x-api-token", secret),
    }),
    (service): Service => {
      const caller = { service, token }
      const read = <A>(operation: string, path: string, decode: Decoder<A>) =>
        call.send(caller, { action: "read" }, { operation, method: "GET", url: service.url(path), decode })
      return {
        user: read("AppManagement.user", "/v0.1/user", User.decode),
        apps: read("AppManagement.apps", "/v0.1/apps", App.decodeList),
        removeUser: removeUser(caller),
        request: endpoint.send(caller),
      }
    },
  )
}

/**
 * The client as a layer.
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options): Layer.Layer<AppManagement, ServiceClient.MakeError, HttpClient.HttpClient> =>
  Layer.scoped(AppManagement, make(options))

/** The default names of the options. */
const defaults = () => ({
  baseUrl: Config.string("APPMGMT_BASE_URL"),
  apiToken: Config.redacted("APPMGMT_API_TOKEN"),
})

/**
 * The options by their default names: `APPMGMT_BASE_URL`, and `APPMGMT_API_TOKEN` (redacted).
 * @category config
 * @since 0.1.0
 */
export const config: Config.Config<Options> = /* @__PURE__ */ Config.suspend(() => Config.all(defaults()))

/**
 * The client as a layer, with options from the configuration: a `Config` of the options, or a record of values and `Config`s. Omitted
 * options are read from their default names (see `config`).
 * @category layers
 * @since 0.1.0
 */
export const layerConfig = (
  options: ClientConfig.ClientConfig<Options> = {},
): Layer.Layer<AppManagement, ConfigError.ConfigError | ServiceClient.MakeError, HttpClient.HttpClient> =>
  Layer.unwrapEffect(Effect.map(ClientConfig.unwrap<Options>(options, defaults()), layer))

/**
 * The client as a layer, with an in-memory service that holds these data, and removes users from them. Everything but the network is
 * the same as in production. With a `token`, calls that it has no right to fail with `TokenScopeError`: its description is enough.
 * For a service that checks rights itself, see `@vigil/sandbox`.
 * @category testing
 * @since 0.1.0
 */
export const layerTest = (
  data: testService.TestData = {},
  token?: ApiToken.Description,
): Layer.Layer<AppManagement> => {
  // A text that no data hold: the secret is removed from errors.
  const secret = Redacted.make("token-of-no-one")
  const apiToken = token === undefined ? secret : { ...token, secret: Redacted.make(secret) }
  return Layer.orDie(layer({ baseUrl: "https://apps.test", apiToken })).pipe(Layer.provide(testService.layer(data)))
}
