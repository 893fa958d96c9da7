/** The client of the availability of resources: lists as streams, and current statuses. */
import type { InvalidSetting } from "@vigil/core-http/SettingsError"
import type * as Config from "effect/Config"
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

export type { Query, Service } from "./internal/availability/service.js"

/** The tag of the client service. @category tags @since 0.2.0 */
export class AvailabilityClient extends Context.Service<AvailabilityClient, Service>()(
  "@vigil/health-client/AvailabilityClient",
) {}

/** Makes the client of a connection. @category constructors @since 0.2.0 */
export const make: (connection: Connection.Service) => Service = operations

/** Provides the client of the connection in the context; see `HealthClient.layer`. @category layers @since 0.4.0 */
export const layer: Layer.Layer<AvailabilityClient, never, Connection.Connection> = /* @__PURE__ */ Layer.fresh(
  /* @__PURE__ */ Layer.effect(AvailabilityClient, /* @__PURE__ */ Effect.map(Connection.Connection, make)),
)

/** Provides the client over a connection of its own; see `HealthClient.layerConfig`. @category layers @since 0.2.0 */
export const layerConfig = (
  options?: Config.Wrap<Connection.Options>,
): Layer.Layer<AvailabilityClient, Config.ConfigError | InvalidSetting, HttpClient.HttpClient> =>
  Layer.provide(layer, Connection.layerConfig(options))

/**
 * Provides the client with an in-memory service that returns `data`, and ignores `filter` and `recommendedActions`. Retries never wait.
 * @category testing @since 0.2.0
 */
export const layerTest = (data: TestData = {}): Layer.Layer<AvailabilityClient> =>
  Layer.provide(layer, TestService.connection(testService.layer(data)))
