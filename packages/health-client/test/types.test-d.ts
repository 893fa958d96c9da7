/** The types that an editor shows for the client; compiled, not run. */
import type { HttpClient } from "effect/http"
import { describe, expectTypeOf, it } from "@effect/vitest"
import {
  AvailabilityClient,
  type Checkpoint,
  type CheckpointMismatch,
  type Connection,
  Filter,
  Find,
  HealthClient,
  type HealthEvent,
  type InvalidEvent,
  type Listing,
  type ListLimit,
  type PagingError,
  type QueryStartTime,
  type RequestError,
  type ResourceUri,
  type SettingsError,
  type SubscriptionId,
  Sweep,
  type TrackingId,
  Watch,
  type WatchStore,
  WithDetails,
} from "@vigil/health-client"
import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import { pipe } from "effect/Function"
import * as Layer from "effect/Layer"
import type * as KeyValueStore from "effect/persistence/KeyValueStore"
import * as Schedule from "effect/Schedule"
import type * as Stream from "effect/Stream"

declare const client: HealthClient.Service
declare const id: SubscriptionId.SubscriptionId
declare const trackingId: TrackingId.TrackingId
declare const uri: ResourceUri.ResourceUri
declare const checkpoint: Checkpoint.Checkpoint | undefined
declare const oldEvents: Stream.Stream<Old>

type PageError = RequestError.RequestError | PagingError.PageLoop
type ListError = PageError | InvalidEvent.InvalidEvent
type Old = HealthEvent.HealthEvent<"2025-04-01">
const old = { apiVersion: "2025-04-01" } as const

describe("the type of", () => {
  it("a list has three errors, PageLimit only with maxPages, and events of the version", () => {
    const { listByResource, listBySubscription } = client
    expectTypeOf(listBySubscription(id)).toEqualTypeOf<Stream.Stream<HealthEvent.HealthEvent, ListError>>()
    expectTypeOf(listBySubscription(id, { ...old, maxPages: 2 })).toEqualTypeOf<
      Stream.Stream<Old, ListError | PagingError.PageLimit>
    >()
    // @ts-expect-error -- text is not an ID until it is validated
    listBySubscription("s1")
    // @ts-expect-error -- IDs of different kinds are not assignable
    listByResource(id)
    // @ts-expect-error -- the lists of resources have no start time
    listByResource(uri, { queryStartTime: "3 days" })
    // @ts-expect-error -- not a duration
    listBySubscription(id, { queryStartTime: "30d" })
    // @ts-expect-error -- text is not a filter: `Filter.raw`
    listBySubscription(id, { filter: "service eq 'A'" })
    expectTypeOf<"2026-03-10">().not.toExtend<QueryStartTime.QueryStartTime>()
  })

  it("pages has CheckpointMismatch only if they are resumed, and PageLimit only with maxPages", () => {
    const { pagesByResource, pagesBySubscription } = client
    expectTypeOf(pagesBySubscription(id)).toEqualTypeOf<
      Stream.Stream<Listing.Page<HealthEvent.HealthEvent>, PageError>
    >()
    expectTypeOf(pagesByResource(uri, { ...old, from: undefined })).toEqualTypeOf<
      Stream.Stream<Listing.Page<HealthEvent.HealthEvent<"2025-04-01">>, PageError>
    >()
    expectTypeOf(pagesBySubscription(id, { from: checkpoint, maxPages: 1 })).toEqualTypeOf<
      Stream.Stream<
        Listing.Page<HealthEvent.HealthEvent>,
        PageError | PagingError.PageLimit | CheckpointMismatch.CheckpointMismatch
      >
    >()
  })

  it("a search and a sweep have PageLimit only with maxPages", () => {
    type Found<E, A = HealthEvent.HealthEvent> = Effect.Effect<A | undefined, E, HealthClient.HealthClient>
    expectTypeOf(Find.find(id, trackingId)).toEqualTypeOf<Found<ListError>>()
    expectTypeOf(Find.find(id, trackingId, { ...old, maxPages: 2 })).toEqualTypeOf<
      Found<ListError | PagingError.PageLimit, Old>
    >()
    expectTypeOf(Effect.all([Find.find(id, trackingId)])).toEqualTypeOf<
      Effect.Effect<[HealthEvent.HealthEvent | undefined], ListError, HealthClient.HealthClient>
    >()
    type Failure<Outcome> = Outcome extends { readonly _tag: "Failed"; readonly error: infer E } ? E : never
    const [all, limited] = [Sweep.sweep([id]), Sweep.sweep([id], { ...old, maxPages: 2 })]
    expectTypeOf<Failure<Stream.Success<typeof all>>>().toEqualTypeOf<PageError | ListLimit.ListLimit>()
    expectTypeOf<Failure<Stream.Success<typeof limited>>>().toEqualTypeOf<Listing.FetchError>()
    expectTypeOf<Failure<Sweep.Outcome>>().toEqualTypeOf<PageError | ListLimit.ListLimit>()
  })

  it("a filter is a Filter in each client, that of availability only an expression", () => {
    expectTypeOf(Filter.raw("a eq 'b'")).toExtend<AvailabilityClient.Query["filter"]>()
    expectTypeOf(Filter.eq("service", "A")).not.toExtend<AvailabilityClient.Query["filter"]>()
    expectTypeOf<string>().not.toExtend<AvailabilityClient.Query["filter"]>()
  })

  it("withDetails has the request error only without onFailure", () => {
    const ignored = WithDetails.withDetails(id, { ...old, onFailure: () => Effect.void })
    expectTypeOf(ignored(oldEvents)).toEqualTypeOf<Stream.Stream<Old, never, HealthClient.HealthClient>>()
    expectTypeOf(WithDetails.withDetails(id, old)(oldEvents)).toEqualTypeOf<
      Stream.Stream<Old, RequestError.RequestError, HealthClient.HealthClient>
    >()
    // @ts-expect-error -- events of another version
    oldEvents.pipe(WithDetails.withDetails(id))
  })

  it("a watch has four errors and those of the handler, or only those of onFailure and of the store", () => {
    type Run<E> = Effect.Effect<void, E, HealthClient.HealthClient | KeyValueStore.KeyValueStore>
    type WatchError =
      | RequestError.RequestError
      | PagingError.PageLoop
      | InvalidEvent.InvalidEvent
      | WatchStore.WatchStoreError
    const failing = () => Effect.fail("mine" as const)
    expectTypeOf(Watch.run(id, failing)).toEqualTypeOf<Run<WatchError | "mine">>()
    expectTypeOf(
      Watch.run(id, (change) => Effect.succeed(change satisfies Watch.Change<"2025-04-01">), old),
    ).toEqualTypeOf<Run<WatchError>>()
    expectTypeOf(Watch.run(id, () => Effect.void, { onFailure: failing })).toEqualTypeOf<
      Run<"mine" | WatchStore.WatchStoreError>
    >()
  })

  it("a watch is the same where the expected type is any effect", () => {
    type Run<E, A = void> = Effect.Effect<A, E, HealthClient.HealthClient | KeyValueStore.KeyValueStore>
    type Failure = Watch.WatchError | "mine"
    const failing = () => Effect.fail("mine" as const)
    const options = { schedule: Schedule.recurs(0), retry: Schedule.recurs(1) }
    expectTypeOf(Effect.all([Watch.run(id, failing, options)])).toEqualTypeOf<Run<Failure, [void]>>()
    expectTypeOf(Effect.all([Watch.run(id, () => Effect.void, options)])).toEqualTypeOf<Run<Watch.WatchError, [void]>>()
    expectTypeOf(Effect.all([Watch.run(id, failing, { onFailure: () => Effect.void })])).toEqualTypeOf<
      Run<WatchStore.WatchStoreError | "mine", [void]>
    >()
    expectTypeOf(Effect.forEach([id], (id) => Watch.run(id, failing, options))).toEqualTypeOf<
      Run<Failure, Array<void>>
    >()
    expectTypeOf(pipe(Watch.run(id, failing, options), Effect.asVoid)).toEqualTypeOf<Run<Failure>>()
    expectTypeOf(Layer.effectDiscard(Watch.run(id, failing, options))).toEqualTypeOf<
      Layer.Layer<never, Failure, HealthClient.HealthClient | KeyValueStore.KeyValueStore>
    >()
  })

  it("a layer gives only its client, names the errors of its options, and needs an HttpClient or a connection", () => {
    type SettingError = Config.ConfigError | SettingsError.InvalidSetting
    expectTypeOf(HealthClient.layerConfig()).toEqualTypeOf<
      Layer.Layer<HealthClient.HealthClient, SettingError, HttpClient.HttpClient>
    >()
    expectTypeOf(HealthClient.layerTest()).toEqualTypeOf<Layer.Layer<HealthClient.HealthClient>>()
    expectTypeOf(HealthClient.layer).toEqualTypeOf<
      Layer.Layer<HealthClient.HealthClient, never, Connection.Connection>
    >()
    expectTypeOf(AvailabilityClient.layerConfig()).toEqualTypeOf<
      Layer.Layer<AvailabilityClient.AvailabilityClient, SettingError, HttpClient.HttpClient>
    >()
    expectTypeOf(AvailabilityClient.layerTest()).toEqualTypeOf<Layer.Layer<AvailabilityClient.AvailabilityClient>>()
    expectTypeOf(AvailabilityClient.layer).toEqualTypeOf<
      Layer.Layer<AvailabilityClient.AvailabilityClient, never, Connection.Connection>
    >()
    type Given = Layer.Success<
      ReturnType<(typeof HealthClient | typeof AvailabilityClient)["layerConfig" | "layerTest"]>
    >
    expectTypeOf<Connection.Connection>().not.toExtend<Given>()
  })
})
