/** The client of the availability of resources: lists as streams, and current statuses. */
import type { InvalidSetting } from "@vigil/core-http/SettingsError"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
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

/** Makes the client of a connection. @category constructors @since 0.2.0 */
export const make: (connection: Connection.Service) => Service = operations

/**
 * Provides the client of the connection in the context. It is built for each connection. Effect builds other constant layers once for a program: with
 * several connections, write a function for a layer that merges this one.
 * @category layers @since 0.3.0
 */
export const layerConnected: Layer.Layer<AvailabilityClient, never, Connection.Connection> =
  /* @__PURE__ */ Layer.fresh(
    /* @__PURE__ */ Layer.effect(AvailabilityClient, /* @__PURE__ */ Effect.map(Connection.Connection, make)),
  )

const connect = (options: Connection.Options) =>
  Effect.map(Connection.make(options), (connection) =>
    Context.add(Context.make(Connection.Connection, connection), AvailabilityClient, make(connection)),
  )

/** Provides the client and its own connection. To share a connection, use `layerConnected`. @category layers @since 0.2.0 */
export const layer = (
  options: Connection.Options,
): Layer.Layer<AvailabilityClient | Connection.Connection, InvalidSetting, HttpClient.HttpClient> =>
  Layer.effectContext(connect(options))

/**
 * Provides the client and its own connection. Takes a `Config` of the options, or a record with a `Config` of each, as the clients of Effect do.
 * Default: `config`.
 * @category layers @since 0.2.0
 */
export const layerConfig = (
  options: Config.Wrap<Connection.Options> = Connection.config,
): Layer.Layer<
  AvailabilityClient | Connection.Connection,
  Config.ConfigError | InvalidSetting,
  HttpClient.HttpClient
> => Layer.effectContext(Effect.flatMap(Config.unwrap(options), connect))

/**
 * Provides the client with an in-memory service that returns `data`, and ignores `filter` and `recommendedActions`, and its connection. Retries never
 * wait.
 * @category testing @since 0.2.0
 */
export const layerTest = (data: TestData = {}): Layer.Layer<AvailabilityClient | Connection.Connection> =>
  Layer.orDie(layer(TestService.options())).pipe(Layer.provide(testService.layer(data)))
