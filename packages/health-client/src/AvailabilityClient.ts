/** The client of the availability of resources: lists as streams, and current statuses. */
import type { InvalidSetting } from "@vigil/core-http/SettingsError"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type * as HttpClient from "effect/http/HttpClient"
import type { TestData } from "./AvailabilityTestData.js"
import * as Connection from "./Connection.js"
import * as TestService from "./TestService.js"
import { operations } from "./internal/availability/operations.js"
import type { Service } from "./internal/availability/service.js"
import * as testService from "./internal/availability/testService.js"

export { config, type Options } from "./Connection.js"
export type { Query, Service } from "./internal/availability/service.js"

/** The tag of the client service. @category tags @since 0.2.0 */
export class AvailabilityClient extends Context.Service<AvailabilityClient, Service>()(
  "@vigil/health-client/AvailabilityClient",
) {}

/** Creates the client on the application's `HttpClient`; see `Connection.make`. @category constructors @since 0.2.0 */
export const make = (
  options: Connection.Options,
): Effect.Effect<Service, InvalidSetting, HttpClient.HttpClient | Scope.Scope> =>
  Effect.map(Connection.make(options), operations)

/** Provides the client. @category layers @since 0.2.0 */
export const layer = (
  options: Connection.Options,
): Layer.Layer<AvailabilityClient, InvalidSetting, HttpClient.HttpClient> =>
  Layer.effect(AvailabilityClient, make(options))

/**
 * Provides the client. Takes a `Config` of the options, or a record with a `Config` of each, as the clients of Effect do. Default: `config`, which
 * health-client reads, too.
 * @category layers @since 0.2.0
 */
export const layerConfig = (
  options: Config.Wrap<Connection.Options> = Connection.config,
): Layer.Layer<AvailabilityClient, Config.ConfigError | InvalidSetting, HttpClient.HttpClient> =>
  Layer.effect(AvailabilityClient, Effect.flatMap(Config.unwrap(options), make))

/**
 * Provides the client with an in-memory service that returns `data`, and ignores `filter` and `recommendedActions`. Retries never wait.
 * @category testing @since 0.2.0
 */
export const layerTest = (data: TestData = {}): Layer.Layer<AvailabilityClient> =>
  Layer.orDie(layer(TestService.options())).pipe(Layer.provide(testService.layer(data)))
