/** The client of the health events API: lists, searches and details as streams and effects. */
import type { InvalidSetting } from "@vigil/core-http/SettingsError"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type * as HttpClient from "effect/http/HttpClient"
import * as Connection from "./Connection.js"
import type { TestData } from "./TestData.js"
import * as TestService from "./TestService.js"
import { operations } from "./internal/operations.js"
import type { Service } from "./internal/service.js"
import * as testService from "./internal/testService.js"

export type { Service } from "./internal/service.js"
export { config, type Options } from "./Connection.js"

/** The tag of the client service. @category tags @since 0.1.0 */
export class HealthClient extends Context.Service<HealthClient, Service>()("@vigil/health-client/HealthClient") {}

/** Creates the client on the application's `HttpClient`; see `Connection.make`. @category constructors @since 0.1.0 */
export const make = (
  options: Connection.Options,
): Effect.Effect<Service, InvalidSetting, HttpClient.HttpClient | Scope.Scope> =>
  Effect.map(Connection.make(options), operations)

/** Provides the client. @category layers @since 0.1.0 */
export const layer = (options: Connection.Options): Layer.Layer<HealthClient, InvalidSetting, HttpClient.HttpClient> =>
  Layer.effect(HealthClient, make(options))

/**
 * Provides the client. Takes a `Config` of the options, or a record with a `Config` of each, as the clients of Effect do. Pass constants with
 * `Config.succeed`. Default: `config`.
 * @category layers @since 0.1.0
 */
export const layerConfig = (
  options: Config.Wrap<Connection.Options> = Connection.config,
): Layer.Layer<HealthClient, Config.ConfigError | InvalidSetting, HttpClient.HttpClient> =>
  Layer.effect(HealthClient, Effect.flatMap(Config.unwrap(options), make))

/**
 * Provides the client with an in-memory service that returns `data`. The service ignores `$filter` and `queryStartTime`; the client itself
 * omits events updated before it, unless it is raw. Retries never wait. To test filters, use `@vigil/sandbox`.
 * @category testing @since 0.1.0
 */
export const layerTest = (data: TestData = {}): Layer.Layer<HealthClient> =>
  Layer.orDie(layer(TestService.options())).pipe(Layer.provide(testService.layer(data)))
