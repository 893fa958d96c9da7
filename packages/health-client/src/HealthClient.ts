/** The client of the health events API: every event of a subscription or a resource as a stream. */
import * as Credential from "@vigil/core-http/Credential"
import { InvalidSetting } from "@vigil/core-http/HttpError"
import { isSegment } from "@vigil/core-http/PathSegment"
import * as ServiceClient from "@vigil/core-http/ServiceClient"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Config from "effect/Config"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Details from "./Details.js"
import { operations } from "./internal/operations.js"
import * as testService from "./internal/testService.js"
import type * as Listing from "./Listing.js"
import type * as ResourceUri from "./ResourceUri.js"
import type { SubscriptionId } from "./SubscriptionId.js"
import type * as Sweep from "./Sweep.js"
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
  /** The events of a stream, with what was withheld of them. */
  readonly withDetails: Details.With
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
}: Options): Effect.Effect<Service, ServiceClient.MakeError, HttpClient.HttpClient> =>
  Effect.map(Effect.zipRight(checkVendor(vendor), ServiceClient.make(settings)), (service) =>
    operations(service, { detailsPath, vendor }),
  )

/**
 * The client as a layer.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options): Layer.Layer<HealthClient, ServiceClient.MakeError, HttpClient.HttpClient> =>
  Layer.effect(HealthClient, make(options))

/**
 * The options by their default names: `HEALTH_BASE_URL`, `HEALTH_ACCESS_TOKEN` (redacted), and `HEALTH_VENDOR`
 * (`Vendor` when absent).
 *
 * @category config
 * @since 0.1.0
 */
export const config: Config.Config<Options> = /* @__PURE__ */ Config.suspend(() =>
  Config.all({
    baseUrl: Config.string("HEALTH_BASE_URL"),
    credential: Config.map(Config.redacted("HEALTH_ACCESS_TOKEN"), Credential.bearer),
    vendor: Config.withDefault(Config.nonEmptyString("HEALTH_VENDOR"), "Vendor"),
  }),
)

/**
 * The client as a layer, its options from the configuration: `config`, unless another one is given.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerConfig = (
  options: Config.Config<Options> = config,
): Layer.Layer<HealthClient, ConfigError.ConfigError | ServiceClient.MakeError, HttpClient.HttpClient> =>
  Layer.effect(HealthClient, Effect.flatMap(options, make))

/**
 * What a test's service has: events as they are on the wire, by the id of the subscription and by the address of the resource that they
 * are listed for (entries may be none: they are sent as they are), and details by tracking id. Any other subscription, resource
 * or event is a `NotFound`. Pages hold `pageSize` events, by default 50.
 *
 * @category testing
 * @since 0.1.0
 */
export interface TestData {
  /** Events by the id of the subscription. Default: none. */
  readonly subscriptions?: Readonly<Record<string, ReadonlyArray<unknown>>> | undefined
  /** Events by the address of the resource. Default: none. */
  readonly resources?: Readonly<Record<string, ReadonlyArray<unknown>>> | undefined
  /** Details by tracking id. Default: none. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly pageSize?: number | undefined
}

/**
 * The client as a layer, of a service that is not there and has these data: everything but the network is the real thing. Filters
 * and start times are not looked at; for a service that does, see `@vigil/sandbox`.
 *
 * @category testing
 * @since 0.1.0
 */
export const layerTest = (data: TestData = {}): Layer.Layer<HealthClient> =>
  Layer.orDie(layer({ baseUrl: testService.baseUrl, credential: Credential.none })).pipe(
    Layer.provide(testService.layer(data)),
  )
