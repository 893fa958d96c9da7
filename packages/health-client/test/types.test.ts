/** The types that an editor shows for the client. */
import type { HttpClient } from "effect/http"
import { describe, expectTypeOf, it } from "@effect/vitest"
import {
  type Checkpoint,
  type CheckpointMismatch,
  HealthClient,
  type HealthEvent,
  type InvalidEvent,
  type Listing,
  type PagingError,
  type QueryStartTime,
  type RequestError,
  type ResourceUri,
  type SettingsError,
  type SubscriptionId,
  WithDetails,
} from "@vigil/health-client"
import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Stream from "effect/Stream"

declare const id: SubscriptionId.SubscriptionId
declare const uri: ResourceUri.ResourceUri
declare const checkpoint: Checkpoint.Checkpoint | undefined

type FetchError = RequestError.RequestError | PagingError.PageLoop | PagingError.PageLimit
type Old = HealthEvent.HealthEvent<"2025-04-01">

describe("the type of", () => {
  it("a list has four errors, and events of the version", () => {
    const use = ({ listByResource, listBySubscription }: HealthClient.Service) => {
      expectTypeOf(listBySubscription(id)).toEqualTypeOf<
        Stream.Stream<HealthEvent.HealthEvent, FetchError | InvalidEvent.InvalidEvent>
      >()
      expectTypeOf<Listing.ListError["_tag"]>().toEqualTypeOf<
        "InvalidEvent" | "PageLimit" | "PageLoop" | "RequestError"
      >()
      expectTypeOf(listBySubscription(id, { apiVersion: "2025-04-01", maxPages: 2 })).toEqualTypeOf<
        Stream.Stream<Old, Listing.ListError>
      >()
      const named = (apiVersion: "2025-04-01" | "2025-05-01" | undefined) => listBySubscription(id, { apiVersion })
      expectTypeOf<Stream.Success<ReturnType<typeof named>>>().toEqualTypeOf<
        HealthEvent.HealthEvent<"2025-04-01" | "2025-05-01">
      >()
      expectTypeOf(listBySubscription(id, { apiVersion: undefined })).toEqualTypeOf<
        Stream.Stream<HealthEvent.HealthEvent, Listing.ListError>
      >()
      // @ts-expect-error -- text is not an ID until it is validated
      listBySubscription("s1")
      // @ts-expect-error -- IDs of different kinds are not assignable
      listByResource(id)
      // @ts-expect-error -- the lists of resources have no start time
      listByResource(uri, { queryStartTime: "3 days" })
      // @ts-expect-error -- not a duration
      listBySubscription(id, { queryStartTime: "30d" })
    }
    expectTypeOf(use).toBeFunction()
    expectTypeOf<"2026-03-10">().not.toExtend<QueryStartTime.QueryStartTime>()
  })

  it("pages has CheckpointMismatch only if they are resumed", () => {
    const use = ({ pagesByResource, pagesBySubscription }: HealthClient.Service) => {
      expectTypeOf(pagesBySubscription(id)).toEqualTypeOf<Stream.Stream<Listing.EventPage, FetchError>>()
      expectTypeOf(pagesByResource(uri, { apiVersion: "2025-04-01", from: undefined })).toEqualTypeOf<
        Stream.Stream<Listing.EventPage<"2025-04-01">, FetchError>
      >()
      const resumed = pagesBySubscription(id, { from: checkpoint, maxPages: 1 })
      expectTypeOf(resumed).toEqualTypeOf<
        Stream.Stream<Listing.EventPage, FetchError | CheckpointMismatch.CheckpointMismatch>
      >()
    }
    expectTypeOf(use).toBeFunction()
  })

  it("withDetails has the request error only without onFailure", () => {
    const use = ({ listBySubscription }: HealthClient.Service, events: Stream.Stream<Old>) => {
      const options = { apiVersion: "2025-04-01" } as const
      const safe = events.pipe(WithDetails.withDetails(id, { ...options, onFailure: () => Effect.void }))
      expectTypeOf(safe).toEqualTypeOf<Stream.Stream<Old, never, HealthClient.HealthClient>>()
      const failing = events.pipe(WithDetails.withDetails(id, options))
      expectTypeOf(failing).toEqualTypeOf<Stream.Stream<Old, RequestError.RequestError, HealthClient.HealthClient>>()
      // @ts-expect-error -- events of another version
      listBySubscription(id, options).pipe(WithDetails.withDetails(id))
    }
    expectTypeOf(use).toBeFunction()
  })

  it("a layer names the errors of its options, and needs an HttpClient", () => {
    expectTypeOf(HealthClient.layerConfig).returns.toEqualTypeOf<
      Layer.Layer<HealthClient.HealthClient, Config.ConfigError | SettingsError.InvalidSetting, HttpClient.HttpClient>
    >()
    expectTypeOf(HealthClient.layerTest).returns.toEqualTypeOf<Layer.Layer<HealthClient.HealthClient>>()
  })
})
