/** What a watch knows, as a text in a store. */
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { WatchStoreError } from "../Watch.js"

/** When the last complete list was read, or else the first one begun, in milliseconds since 1970; and the events that are known. */
export interface Known<V extends ApiVersion.ApiVersion> {
  readonly listedAt: Option.Option<number>
  readonly events: ReadonlyArray<HealthEvent.HealthEvent<V>>
}

/** Where it is kept, and whose it is. */
export interface Place<V extends ApiVersion.ApiVersion> {
  readonly store: KeyValueStore.KeyValueStore
  readonly key: string
  readonly subscription: string
  readonly version: V
}

/** What is known at first. */
export const nothing: Known<never> = { listedAt: Option.none(), events: [] }

const Stored = Schema.parseJson(
  Schema.Struct({
    watch: Schema.Literal(1),
    subscription: Schema.String,
    apiVersion: Schema.String,
    listedAt: Schema.OptionFromNullOr(Schema.Number),
    events: Schema.Array(Schema.Unknown),
  }),
)

const decode = Schema.decodeUnknownEither(Stored)
const encode = Schema.encodeSync(Stored)

/** What was kept; nothing, where nothing was. */
export const load = <V extends ApiVersion.ApiVersion>({
  key,
  store,
  subscription,
  version,
}: Place<V>): Effect.Effect<Known<V>, WatchStoreError> => {
  const fail = (reason: WatchStoreError["reason"]) => () => new WatchStoreError({ key, reason })
  const read = (text: string): Either.Either<Known<V>, WatchStoreError> =>
    Either.mapLeft(decode(text), fail("unreadable")).pipe(
      Either.filterOrLeft(
        (stored) => stored.subscription === subscription && stored.apiVersion === version,
        fail("other"),
      ),
      Either.flatMap(({ events, listedAt }) =>
        Either.all(events.map(HealthEvent.decode(version))).pipe(
          Either.mapBoth({ onLeft: fail("unreadable"), onRight: (events) => ({ listedAt, events }) }),
        ),
      ),
    )
  return Effect.mapError(store.get(key), fail("unavailable")).pipe(
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
  { key, store, subscription, version }: Place<V>,
  { events, listedAt }: Known<V>,
): Effect.Effect<void, WatchStoreError> =>
  Effect.suspend(() => store.set(key, encode({ watch: 1, subscription, apiVersion: version, listedAt, events }))).pipe(
    Effect.mapError(() => new WatchStoreError({ key, reason: "unavailable" })),
  )
