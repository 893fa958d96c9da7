/** What a watch knows, as a text in a store. */
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Listing from "../Listing.js"
import { WatchStoreError } from "../Watch.js"
import * as filterText from "./filterText.js"
import { keyOf } from "./sighting.js"
import type * as watchMemory from "./watchMemory.js"

/** When the last complete list was read, or else the first one begun, in milliseconds since 1970; and what was told. */
export interface Known<V extends ApiVersion.ApiVersion> extends watchMemory.State<V> {
  readonly listedAt: Option.Option<number>
}

/** Where it is kept, and of what it is. */
export interface Place<V extends ApiVersion.ApiVersion> extends Listing.Query {
  readonly store: KeyValueStore.KeyValueStore
  readonly key: string
  readonly subscription: string
  readonly version: V
  readonly vendor: string
}

/** What is known at first. */
export const nothing: Known<never> = {
  listedAt: Option.none(),
  told: new Map<string, never>(),
  perhaps: new Map<string, never>(),
  unlisted: new Map<string, never>(),
}

const Stored = Schema.Struct({
  watch: Schema.Literal(1),
  subscription: Schema.String,
  apiVersion: Schema.String,
  filter: Schema.String,
  listedAt: Schema.NullOr(Schema.Number),
  events: Schema.Array(Schema.Unknown),
  // Without an event (`null`) it may have been told that the one of this key is gone.
  perhaps: Schema.Array(Schema.Struct({ key: Schema.String, event: Schema.Unknown })),
  unlisted: Schema.Array(Schema.Struct({ key: Schema.String, since: Schema.Number })),
})

const parse = (text: string) => Either.try((): unknown => JSON.parse(text))
const decode = Schema.decodeUnknownEither(Stored)
const encode = (stored: typeof Stored.Type): string => JSON.stringify(stored)

/** What the events are of. An empty filter is none. */
const subject = <V extends ApiVersion.ApiVersion>({ filter = "", subscription, version }: Place<V>) => ({
  subscription,
  apiVersion: version,
  filter: filterText.of(filter),
})

const known = <V extends ApiVersion.ApiVersion>(
  { vendor, version }: Place<V>,
  { events, listedAt, perhaps, unlisted }: typeof Stored.Type,
): Either.Either<Known<V>, unknown> => {
  const event = HealthEvent.decode(version, { vendor })
  return Either.map(
    Either.all({
      told: Either.all(events.map((one) => Either.map(event(one), (event) => [keyOf(event), event] as const))),
      perhaps: Either.all(
        perhaps.map((one) =>
          one.event === null
            ? Either.right([one.key, undefined] as const)
            : Either.map(event(one.event), (event) => [one.key, event] as const),
        ),
      ),
    }),
    ({ perhaps, told }) => ({
      listedAt: Option.fromNullable(listedAt),
      told: new Map(told),
      perhaps: new Map(perhaps),
      unlisted: new Map(unlisted.map(({ key, since }) => [key, since])),
    }),
  )
}

/** What was kept; nothing, where nothing was. */
export const load = <V extends ApiVersion.ApiVersion>(place: Place<V>): Effect.Effect<Known<V>, WatchStoreError> => {
  const { key, store } = place
  const { apiVersion, filter, subscription } = subject(place)
  const fail = (reason: WatchStoreError["reason"]) => () => new WatchStoreError({ key, reason })
  const read = (text: string): Either.Either<Known<V>, WatchStoreError> =>
    Either.mapLeft(Either.flatMap(parse(text), decode), fail("unreadable")).pipe(
      Either.filterOrLeft(
        (stored) =>
          stored.subscription === subscription && stored.apiVersion === apiVersion && stored.filter === filter,
        fail("other"),
      ),
      Either.flatMap((stored) => Either.mapLeft(known(place, stored), fail("unreadable"))),
    )
  return Effect.mapError(store.get(key), (cause) => new WatchStoreError({ key, reason: "unavailable", cause })).pipe(
    Effect.flatMap(
      Option.match({
        onNone: () => Effect.succeed(nothing),
        onSome: read,
      }),
    ),
  )
}

/** Keeps what is known. */
export const save = <V extends ApiVersion.ApiVersion>(
  place: Place<V>,
  { listedAt, perhaps, told, unlisted }: Known<V>,
): Effect.Effect<void, WatchStoreError> => {
  const { key, store } = place
  return Effect.suspend(() =>
    store.set(
      key,
      encode({
        watch: 1,
        ...subject(place),
        listedAt: Option.getOrNull(listedAt),
        events: [...told.values()],
        perhaps: Array.from(perhaps, ([key, event]) => ({ key, event: event ?? null })),
        unlisted: Array.from(unlisted, ([key, since]) => ({ key, since })),
      }),
    ),
  ).pipe(Effect.mapError((cause) => new WatchStoreError({ key, reason: "unavailable", cause })))
}
