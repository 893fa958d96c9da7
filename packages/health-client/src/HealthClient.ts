/** The client of the health events API: lists, searches and details as streams and effects. */
import type { InvalidSetting } from "@vigil/core-http/SettingsError"
import type * as Config from "effect/Config"
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

/** The tag of the client service. @category tags @since 0.1.0 */
export class HealthClient extends Context.Service<HealthClient, Service>()("@vigil/health-client/HealthClient") {}

/** Makes the client of a connection. @category constructors @since 0.1.0 */
export const make: (connection: Connection.Service) => Service = operations

/**
 * Provides the client of the connection in the context: `HealthClient.layer.pipe(Layer.provide(Connection.layer(options)))`. It is built for each
 * connection. Effect builds other constant layers once for a program: with several connections, write a function for a layer that merges this one.
 * @category layers @since 0.4.0
 */
export const layer: Layer.Layer<HealthClient, never, Connection.Connection> = /* @__PURE__ */ Layer.fresh(
  /* @__PURE__ */ Layer.effect(HealthClient, /* @__PURE__ */ Effect.map(Connection.Connection, make)),
)

/**
 * Provides the client over a connection of its own. Takes a `Config` of its options, or a record with a `Config` of each, as the clients of Effect do. Pass
 * constants with `Config.succeed`. Default: `Connection.config`.
 * @category layers @since 0.1.0
 */
export const layerConfig = (
  options?: Config.Wrap<Connection.Options>,
): Layer.Layer<HealthClient, Config.ConfigError | InvalidSetting, HttpClient.HttpClient> =>
  Layer.provide(layer, Connection.layerConfig(options))

/**
 * Provides the client with an in-memory service that returns `data`. The service ignores `$filter` and `queryStartTime`; the
 * client itself omits events updated before it, unless it is raw. Retries never wait. To test filters, use `@vigil/sandbox`. To replace the client, use
 * `Layer.mock(HealthClient, { key: "test", … })`.
 * @category testing @since 0.1.0
 */
export const layerTest = (data: TestData = {}): Layer.Layer<HealthClient> =>
  Layer.provide(layer, TestService.connection(testService.layer(data)))
