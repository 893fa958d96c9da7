/** The client of the app management API. */
import * as Credential from "@vigil/core-http/Credential"
import type { Decoder } from "@vigil/core-http/Decoder"
import * as ErrorBody from "@vigil/core-http/ErrorBody"
import * as CoreRequest from "@vigil/core-http/Request"
import type { RequestError } from "@vigil/core-http/RequestError"
import * as ServiceClient from "@vigil/core-http/ServiceClient"
import type { InvalidSetting } from "@vigil/core-http/SettingsError"
import type * as HttpClient from "effect/http/HttpClient"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as App from "./App.js"
import type { RemoveUserError } from "./AppManagementError.js"
import type { AppName } from "./AppName.js"
import type { Email } from "./Email.js"
import * as record from "./internal/record.js"
import { service as serviceName } from "./internal/removal.js"
import { removeUser } from "./internal/removeUser.js"
import * as testService from "./internal/testService.js"
import type { Removal } from "./Removal.js"
import * as User from "./User.js"

export type { TestData } from "./internal/testService.js"

/** Options of the client. @category models @since 0.1.0 */
export interface Options extends ServiceClient.Settings {
  /** The base URL of the service, without `/v0.1`. */
  readonly baseUrl: string
  /** The API token: a `Redacted`, or an effect that returns one. */
  readonly apiToken: Credential.Secret
}

/** A request of any method, with a body for POST, PUT and PATCH. @category models @since 0.2.0 */
export type Request<A> = Exclude<CoreRequest.Request<A>, { readonly body: typeof CoreRequest.noBody }>

/** The operations of the client. @category models @since 0.1.0 */
export interface Service {
  /** Fetches the profile of the token's user: `GET v0.1/user`. */
  readonly user: Effect.Effect<User.User, RequestError>
  /** Lists the apps of the token: `GET v0.1/apps`, an endpoint that public services have and the API does not specify. */
  readonly apps: Effect.Effect<ReadonlyArray<App.App>, RequestError>
  /** Removes a user, with retries like a GET. After an attempt with an unknown outcome, `UserNotFound` becomes `AlreadyRemoved`. */
  readonly removeUser: (app: AppName, email: Email) => Effect.Effect<Removal, RemoveUserError>
  /** Makes the URL of a path for `request`. The path begins with `/` and has encoded segments, such as `/v0.1/apps/contoso/shop`. */
  readonly url: ServiceClient.Service["url"]
  /** Sends any other request, with a body for POST, PUT and PATCH. An empty one is sent as `{}`: the service requires it, and responds 411. */
  readonly request: <A>(request: Request<A>) => Effect.Effect<A, RequestError>
}

/** The client, as a service. @category tags @since 0.1.0 */
export class AppManagement extends Context.Service<AppManagement, Service>()("@vigil/appmgmt-client/AppManagement") {}

const isEmpty = (body: NonNullable<unknown> | null): boolean =>
  body === CoreRequest.noBody ||
  (body instanceof CoreRequest.JsonText && body.text.trim() === "") ||
  (body instanceof URLSearchParams && body.size === 0)

/** All fields of a user are optional, so an error is a user as well. */
const decodeUser: Decoder<User.User> = (json) =>
  ErrorBody.inSuccess(json) === undefined
    ? record.decoder(User.User)(json)
    : Effect.fail({ path: "", problem: "contains an error" })

const decodeApps: Decoder<ReadonlyArray<App.App>> = (json) =>
  Effect.tap(record.decoder(Schema.Array(App.App))(json), ({ length }) =>
    Effect.annotateCurrentSpan("app.items", length),
  )

const withBody = <A>(request: Request<A>): Request<A> =>
  request.body !== undefined && isEmpty(request.body) ? { ...request, body: {} } : request

/**
 * Makes the client. Fails with `InvalidSetting`, also if the token would be sent over plain HTTP.
 * @category constructors @since 0.1.0
 */
export const make = ({
  apiToken,
  ...settings
}: Options): Effect.Effect<Service, InvalidSetting, HttpClient.HttpClient | Scope.Scope> =>
  Effect.map(
    ServiceClient.make({
      ...settings,
      service: serviceName,
      credential: Credential.header("x-api-token", apiToken),
    }),
    (service): Service => {
      const read = <A>(operation: string, path: string, decode: Decoder<A>) =>
        service.get({ operation, url: service.url(path), decode })
      return {
        user: read("AppManagement.user", "/v0.1/user", decodeUser),
        apps: read("AppManagement.apps", "/v0.1/apps", decodeApps),
        removeUser: removeUser(service),
        url: service.url,
        request: (request) => service.request(withBody(request)),
      }
    },
  )

/** The client as a layer. @category layers @since 0.1.0 */
export const layer = (options: Options): Layer.Layer<AppManagement, InvalidSetting, HttpClient.HttpClient> =>
  Layer.effect(AppManagement, make(options))

/** The options from `APPMGMT_BASE_URL` and `APPMGMT_API_TOKEN` (redacted). @category config @since 0.1.0 */
export const config: Config.Config<Options> = /* @__PURE__ */ Config.all({
  baseUrl: /* @__PURE__ */ Config.String("APPMGMT_BASE_URL"),
  apiToken: /* @__PURE__ */ Config.Redacted("APPMGMT_API_TOKEN"),
})

/** The client as a layer, configured by a `Config` of the options. Default: `config`. @category layers @since 0.1.0 */
export const layerConfig = (
  options: Config.Config<Options> = config,
): Layer.Layer<AppManagement, Config.ConfigError | InvalidSetting, HttpClient.HttpClient> =>
  Layer.unwrap(Effect.map(options, layer))

/** The client as a layer with an in-memory service, which contains this data. @category testing @since 0.1.0 */
export const layerTest = (data: testService.TestData = {}): Layer.Layer<AppManagement> =>
  // These options are valid.
  Layer.orDie(layer({ baseUrl: "https://apps.test", apiToken: Redacted.make("unused-test-token") })).pipe(
    Layer.provide(testService.layer(data)),
  )
