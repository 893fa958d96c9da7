/** The client of the health events API: every event of a subscription or a resource as a stream. */
import * as ClientConfig from "@vigil/core-http/ClientConfig"
import * as Credential from "@vigil/core-http/Credential"
import { isSegment } from "@vigil/core-http/PathSegment"
import * as RetryPolicy from "@vigil/core-http/RetryPolicy"
import * as ServiceClient from "@vigil/core-http/ServiceClient"
import { InvalidSetting } from "@vigil/core-http/SettingsError"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Config from "effect/Config"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Details from "./Details.js"
import { operations } from "./internal/operations.js"
import * as testService from "./internal/testService.js"
import type * as Listing from "./Listing.js"
import type * as ResourceUri from "./ResourceUri.js"
import type { SubscriptionId } from "./SubscriptionId.js"
import type * as Sweep from "./Sweep.js"
import type { TestData } from "./TestData.js"
import type * as Watch from "./Watch.js"

/**
 * How the service is reached.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options extends ServiceClient.Settings {
  /** The service's base address, `{base_url}` of the document. */
  readonly baseUrl: string
  /** How requests are authorized: `Credential.bearer(token)` for an access token (field notes, "Health events"). */
  readonly credential: Credential.Credential
  /**
   * The vendor part of `<vendor>.ResourceHealth` in paths, and of the field `enable<vendor>Support`, which must be a boolean, `null` or
   * absent (`HealthEvent.vendorSupport` reads it). Default: `Vendor`, as in the document.
   */
  readonly vendor?: string | undefined
  /** The path (beginning with `/`, its segments encoded) under which details are asked for. Default: `Details.path`, an assumption. */
  readonly detailsPath?: ((target: Details.Target) => string) | undefined
}

/**
 * Both list operations, each as a stream of events, as a stream of pages and collected, and what is made of them. Nothing is
 * requested before an effect or a stream is run, and no page before the one ahead of it is asked for, unless `prefetch` says so.
 *
 * @category models
 * @since 0.1.0
 */
export interface Service {
  /** The events of a subscription, by default those updated in the last 3 days (document, "Limits"). */
  readonly listBySubscription: Listing.List<SubscriptionId, Listing.SubscriptionQuery>
  /** The same page by page, with the entries that are no event beside the others, and a checkpoint to go on from. */
  readonly pagesBySubscription: Listing.Pages<SubscriptionId, Listing.SubscriptionQuery>
  /** The same, all at once. */
  readonly collectBySubscription: Listing.Collect<SubscriptionId, Listing.SubscriptionQuery>
  /** The events of one resource. */
  readonly listByResource: Listing.List<ResourceUri.ResourceUri>
  /** The same page by page, with the entries that are no event beside the others, and a checkpoint to go on from. */
  readonly pagesByResource: Listing.Pages<ResourceUri.ResourceUri>
  /** The same, all at once. */
  readonly collectByResource: Listing.Collect<ResourceUri.ResourceUri>
  /** One event of a subscription, by its tracking id; `None` when the list does not have it. */
  readonly find: Listing.Find
  /** One event of a subscription with nothing withheld. */
  readonly fetchEventDetails: Details.Fetch
  /** The events of many subscriptions, and what became of each. */
  readonly sweep: Sweep.Sweep
  /** What happens to the events of a subscription, as it happens. */
  readonly watch: Watch.Watch
}

/**
 * The client, as a service of an application.
 *
 * @category tags
 * @since 0.1.0
 */
export class HealthClient extends Context.Tag("@vigil/health-client/HealthClient")<HealthClient, Service>() {}

/** The vendor becomes part of a path. */
const checkVendor = (vendor: string): Effect.Effect<void, InvalidSetting> =>
  isSegment(vendor)
    ? Effect.void
    : new InvalidSetting({ setting: "vendor", expected: "a name that can be part of a path" })

/**
 * Makes the client on top of the application's `HttpClient`. Fails with `InvalidBaseUrl` when `baseUrl` is no address, with
 * `InvalidSetting` when a limit would limit nothing or stop everything, and with `CredentialError` when the credential would
 * travel in clear.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = ({
  detailsPath = Details.path,
  vendor = "Vendor",
  ...settings
}: Options): Effect.Effect<Service, ServiceClient.MakeError, HttpClient.HttpClient | Scope.Scope> =>
  Effect.map(Effect.zipRight(checkVendor(vendor), ServiceClient.make({ ...settings, service: "health" })), (service) =>
    operations(service, { detailsPath, vendor }),
  )

/**
 * The client as a layer.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options): Layer.Layer<HealthClient, ServiceClient.MakeError, HttpClient.HttpClient> =>
  Layer.scoped(HealthClient, make(options))

/** The default names of the options. */
const defaults = () => ({
  baseUrl: Config.string("HEALTH_BASE_URL"),
  credential: Config.map(Config.redacted("HEALTH_ACCESS_TOKEN"), Credential.bearer),
  vendor: Config.withDefault(Config.nonEmptyString("HEALTH_VENDOR"), "Vendor"),
})

/**
 * The options by their default names: `HEALTH_BASE_URL`, `HEALTH_ACCESS_TOKEN` (redacted), and `HEALTH_VENDOR`
 * (default: `Vendor`).
 *
 * @category config
 * @since 0.1.0
 */
export const config: Config.Config<Options> = /* @__PURE__ */ Config.suspend(() => Config.all(defaults()))

/**
 * The client as a layer, with options from the configuration: a `Config` of the options, or a record of values and `Config`s. Omitted
 * options are read from their default names (see `config`).
 *
 * @category layers
 * @since 0.1.0
 */
export const layerConfig = (
  options: ClientConfig.ClientConfig<Options> = {},
): Layer.Layer<HealthClient, ConfigError.ConfigError | ServiceClient.MakeError, HttpClient.HttpClient> =>
  Layer.unwrapEffect(Effect.map(ClientConfig.unwrap<Options>(options, defaults()), layer))

/**
 * The client as a layer for unit tests, with an in-memory service that returns `data`: events, error responses, or a sequence of
 * both. Everything but the network is the real client. The service ignores `$filter` and `queryStartTime` and has no default start;
 * only the client leaves out events from before a `queryStartTime` that is an instant or a duration. For a service that filters,
 * use `@vigil/sandbox`. Retries do not wait, so no test has to move the clock, except for a `retry-after` header.
 *
 * @category testing
 * @since 0.1.0
 */
export const layerTest = (data: TestData = {}): Layer.Layer<HealthClient> =>
  Layer.orDie(
    layer({
      baseUrl: testService.baseUrl,
      credential: Credential.none,
      retry: RetryPolicy.make({ baseDelay: 0 }),
    }),
  ).pipe(Layer.provide(testService.layer(data)))
