/** The client of the health events API: lists, searches and details as streams and effects. */
import type { InvalidSetting } from "@vigil/core-http/SettingsError"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
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

/** Makes the client of a connection. @category constructors @since 0.1.0 */
export const make: (connection: Connection.Service) => Service = operations

/**
 * Provides the client of the connection in the context. It is built for each connection. Effect builds other constant layers once for a program: with
 * several connections, write a function for a layer that merges this one.
 * @category layers @since 0.3.0
 */
export const layerConnected: Layer.Layer<HealthClient, never, Connection.Connection> = /* @__PURE__ */ Layer.fresh(
  /* @__PURE__ */ Layer.effect(HealthClient, /* @__PURE__ */ Effect.map(Connection.Connection, make)),
)

const connect = (options: Connection.Options) =>
  Effect.map(Connection.make(options), (connection) =>
    Context.add(Context.make(Connection.Connection, connection), HealthClient, make(connection)),
  )

/** Provides the client and its own connection. To share a connection, use `layerConnected`. @category layers @since 0.1.0 */
export const layer = (
  options: Connection.Options,
): Layer.Layer<Connection.Connection | HealthClient, InvalidSetting, HttpClient.HttpClient> =>
  Layer.effectContext(connect(options))

/**
 * Provides the client and its own connection. Takes a `Config` of the options, or a record with a `Config` of each, as the clients of Effect do. Pass
 * constants with `Config.succeed`. Default: `config`.
 * @category layers @since 0.1.0
 */
export const layerConfig = (
  options: Config.Wrap<Connection.Options> = Connection.config,
): Layer.Layer<Connection.Connection | HealthClient, Config.ConfigError | InvalidSetting, HttpClient.HttpClient> =>
  Layer.effectContext(Effect.flatMap(Config.unwrap(options), connect))

/**
 * Provides the client with an in-memory service that returns `data`, and its connection. The service ignores `$filter` and `queryStartTime`; the
 * client itself omits events updated before it, unless it is raw. Retries never wait. To test filters, use `@vigil/sandbox`. To replace
 * operations, for example under a watch: `Layer.provideMerge(Layer.mock(HealthClient, …), layerTest())`.
 * @category testing @since 0.1.0
 */
export const layerTest = (data: TestData = {}): Layer.Layer<Connection.Connection | HealthClient> =>
  Layer.orDie(layer(TestService.options())).pipe(Layer.provide(testService.layer(data)))
