/** The client of the health events API: every event of a subscription or a resource as a stream. */
import * as Credential from "@vigil/core-http/Credential"
import * as ServiceClient from "@vigil/core-http/ServiceClient"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Config from "effect/Config"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as list from "./internal/list.js"
import { path } from "./internal/segment.js"
import type * as Listing from "./Listing.js"
import * as ResourceUri from "./ResourceUri.js"
import type { SubscriptionId } from "./SubscriptionId.js"

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
  /** The vendor part of `<vendor>.ResourceHealth` in paths. Default: `Vendor`, as the document writes it. */
  readonly vendor?: string | undefined
}

/**
 * The list operations, each as a stream of events and as a stream of pages. Nothing is requested before a stream is run,
 * and no page before the one ahead of it is consumed.
 *
 * @category models
 * @since 0.1.0
 */
export interface Service {
  /** The events of a subscription, by default those updated in the last 3 days (document, "Limits"). */
  readonly listBySubscription: Listing.List<SubscriptionId>
  /** The same, page by page, with the entries that are no event beside the others. */
  readonly pagesBySubscription: Listing.Pages<SubscriptionId>
  /** The events of one resource. */
  readonly listByResource: Listing.List<ResourceUri.ResourceUri>
  /** The same, page by page, with the entries that are no event beside the others. */
  readonly pagesByResource: Listing.Pages<ResourceUri.ResourceUri>
}

/**
 * @category tags
 * @since 0.1.0
 */
export class HealthClient extends Context.Tag("@vigil/health-client/HealthClient")<HealthClient, Service>() {}

type Versionless<Options> = Options & { readonly apiVersion?: undefined }
type Versioned<V extends ApiVersion.ApiVersion, Options> = Options & { readonly apiVersion: V }

/**
 * Makes the client on top of the application's `HttpClient`. Fails with `InvalidBaseUrl` when `baseUrl` is no address, with
 * `InvalidSetting` when a limit would limit nothing or stop everything, and with `CredentialError` when the credential would travel in clear.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = ({
  vendor = "Vendor",
  ...options
}: Options): Effect.Effect<Service, ServiceClient.MakeError, HttpClient.HttpClient> =>
  Effect.map(ServiceClient.make(options), (service) => {
    const suffix = ["providers", `${vendor}.ResourceHealth`, "events"]
    const first = (segments: ReadonlyArray<string>, version: ApiVersion.ApiVersion) =>
      service.url(path([...segments, ...suffix]), { "api-version": version })

    // The overloads say which version the result is of: the one that is given, and without one the newest.
    const pages = <Id>(operation: string, segments: (id: Id) => ReadonlyArray<string>): Listing.Pages<Id> => {
      function read(
        id: Id,
        options?: Versionless<Listing.PagesOptions>,
      ): Stream.Stream<Listing.EventPage, Listing.PagesError>
      function read<V extends ApiVersion.ApiVersion>(
        id: Id,
        options: Versioned<V, Listing.PagesOptions>,
      ): Stream.Stream<Listing.EventPage<V>, Listing.PagesError>
      function read(id: Id, options: Listing.PagesOptions = {}) {
        const version = options.apiVersion ?? ApiVersion.latest
        return list.pages(service, operation, version, first(segments(id), version), options)
      }
      return read
    }

    const events = <Id>(operation: string, segments: (id: Id) => ReadonlyArray<string>): Listing.List<Id> => {
      const pagesOf = pages(operation, segments)
      function read<E, R>(
        id: Id,
        options?: Versionless<Listing.ListOptions<E, R>>,
      ): Stream.Stream<HealthEvent.HealthEvent, Listing.ListError | E, R>
      function read<V extends ApiVersion.ApiVersion, E, R>(
        id: Id,
        options: Versioned<V, Listing.ListOptions<E, R>>,
      ): Stream.Stream<HealthEvent.HealthEvent<V>, Listing.ListError | E, R>
      function read<E, R>(id: Id, options: Listing.ListOptions<E, R> = {}) {
        return Stream.flatMap(
          pagesOf(id, { ...options, apiVersion: options.apiVersion ?? ApiVersion.latest }),
          (page) => list.events(operation, page, options.onInvalid),
        )
      }
      return read
    }

    const ofSubscription = (id: SubscriptionId) => ["subscriptions", id]
    return {
      listBySubscription: events("HealthClient.listBySubscription", ofSubscription),
      pagesBySubscription: pages("HealthClient.pagesBySubscription", ofSubscription),
      listByResource: events("HealthClient.listByResource", ResourceUri.segments),
      pagesByResource: pages("HealthClient.pagesByResource", ResourceUri.segments),
    }
  })

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
export const config: Config.Config<Options> = Config.all({
  baseUrl: Config.string("HEALTH_BASE_URL"),
  credential: Config.map(Config.redacted("HEALTH_ACCESS_TOKEN"), Credential.bearer),
  vendor: Config.withDefault(Config.nonEmptyString("HEALTH_VENDOR"), "Vendor"),
})

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
