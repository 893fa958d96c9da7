/** The client of the app management API. */
import * as Credential from "@vigil/core-http/Credential"
import type { Decoder } from "@vigil/core-http/Decoder"
import * as ErrorBody from "@vigil/core-http/ErrorBody"
import type * as Request from "@vigil/core-http/Request"
import type { RequestError } from "@vigil/core-http/RequestError"
import * as ServiceClient from "@vigil/core-http/ServiceClient"
import type { InvalidSetting } from "@vigil/core-http/SettingsError"
import type * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
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

/** The operations of the client. @category models @since 0.1.0 */
export interface Service {
  /** Fetches the profile of the token's user: `GET v0.1/user`. */
  readonly user: Effect.Effect<User.User, RequestError>
  /** Lists the apps of the token: `GET v0.1/apps`, an endpoint that public services have and the API does not specify. */
  readonly apps: Effect.Effect<ReadonlyArray<App.App>, RequestError>
  /** Removes a user, with retries like a GET. After an attempt with an unknown outcome, a missing user is `AlreadyRemoved`. */
  readonly removeUser: (app: AppName, email: Email) => Effect.Effect<Removal, RemoveUserError>
  /**
   * The service as an `HttpClient`, for any other request, with a path such as `/v0.1/apps/contoso/shop`. A POST, PUT or PATCH without a body is
   * sent with `{}`: the service requires one, and responds 411. Spans show the path: hide an email address in it by the `secrets` of
   * `httpClient.withOptions`.
   */
  readonly httpClient: Request.Client
}

/** The client, as a service. @category tags @since 0.1.0 */
export class AppManagement extends Context.Service<AppManagement, Service>()("@vigil/appmgmt-client/AppManagement") {}

const isEmpty = (body: HttpBody.HttpBody): boolean =>
  body._tag === "Empty" || ("contentLength" in body && body.contentLength === 0)

/** All fields of a user are optional, so an error is a user as well. */
const decodeUser: Decoder<User.User> = (json, response) =>
  ErrorBody.inSuccess(json) === undefined
    ? record.decoder(User.User)(json, response)
    : Effect.fail({ path: "", problem: "contains an error" })

/** The rule of the API document, "Endpoints". Keeps the caller's type, unless it is that of an empty text or form. */
const withBody = (request: HttpClientRequest.HttpClientRequest): HttpClientRequest.HttpClientRequest => {
  if (!["POST", "PUT", "PATCH"].includes(request.method) || !isEmpty(request.body)) return request
  const json = "application/json"
  const { "content-type": type = json } = request.headers
  const isKept = request.body._tag === "Empty" || type.includes("json")
  return HttpClientRequest.bodyText(request, "{}", isKept ? type : json)
}

const withBodies = (client: Request.Client): Request.Client =>
  Object.assign(HttpClient.mapRequest(client, withBody), {
    withOptions: (options: Request.Options) => withBodies(client.withOptions(options)),
  })

const decodeApps: Decoder<ReadonlyArray<App.App>> = (json, response) =>
  Effect.tap(record.decoder(Schema.Array(App.App))(json, response), ({ length }) =>
    Effect.annotateCurrentSpan("app.items", length),
  )

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
        service.get({ operation, url: path, decode })
      return {
        user: read("AppManagement.user", "/v0.1/user", decodeUser),
        apps: read("AppManagement.apps", "/v0.1/apps", decodeApps),
        removeUser: removeUser(service),
        httpClient: withBodies(service.httpClient),
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

/**
 * The client as a layer. Takes a `Config` of the options, or a record with a `Config` of each, as the clients of Effect do. Pass constants with
 * `Config.succeed`. Default: `config`.
 * @category layers @since 0.1.0
 */
export const layerConfig = (
  options: Config.Wrap<Options> = config,
): Layer.Layer<AppManagement, Config.ConfigError | InvalidSetting, HttpClient.HttpClient> =>
  Layer.effect(AppManagement, Effect.flatMap(Config.unwrap(options), make))

/** The client as a layer with an in-memory service, which contains this data. @category testing @since 0.1.0 */
export const layerTest = (data: testService.TestData = {}): Layer.Layer<AppManagement> =>
  // These options are valid.
  Layer.orDie(layer({ baseUrl: "https://apps.test", apiToken: Redacted.make("unused-test-token") })).pipe(
    Layer.provide(testService.layer(data)),
  )
