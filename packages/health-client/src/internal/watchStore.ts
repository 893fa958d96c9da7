/** Stores the state of a watch as one JSON text. */
import type * as KeyValueStore from "effect/persistence/KeyValueStore"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Entries, Entry } from "./watchState.js"

/**
 * The state of a watch could not be loaded or saved. `reason` is `unavailable` if the store failed (see `cause`), `unreadable` if a watch
 * did not write the text, `tooDeep` if an event is nested some thousands of levels deep, `other` if it belongs to another subscription, version or filter. To start over, remove the key.
 * @category errors @since 0.1.0
 */
export class WatchStoreError extends Data.TaggedError("WatchStoreError")<{
  /** The key in the store. */
  readonly key: string
  readonly reason: "unavailable" | "unreadable" | "other" | "tooDeep"
  /** What was attempted. */
  readonly operation: "load" | "save"
  readonly cause?: KeyValueStore.KeyValueStoreError
}> {
  readonly service: string = "health"
  /** `true` if the store failed. */
  readonly retryable: boolean = this.reason === "unavailable"
  override get message() {
    const key = JSON.stringify(this.key)
    if (this.reason === "unavailable")
      return `Could not ${this.operation} the state of the watch under ${key}. Check the store.`
    if (this.reason === "tooDeep")
      return `Could not save the state of the watch under ${key}: an event is nested too deep. Pass a filter that excludes the event.`
    const problem =
      this.reason === "other" ? "belongs to another subscription, version or filter" : "was not written by a watch"
    return `The state in the store under ${key} ${problem}. Use another key, or remove this one to start over.`
  }
}

/** Where the state is stored, and the list that it belongs to. */
export interface Location<V extends ApiVersion.ApiVersion> {
  readonly store: KeyValueStore.KeyValueStore
  readonly key: string
  readonly subscription: string
  readonly apiVersion: V
  readonly filter: string
}

export interface State<V extends ApiVersion.ApiVersion> {
  /** The time of the last complete list, else of the first poll, in milliseconds since 1970. */
  readonly listedAt: number | undefined
  readonly entries: Entries<V>
}

export const empty: State<never> = { listedAt: undefined, entries: new Map<string, never>() }

/** `null` in `pending` is a pending `Disappeared`. */
const Stored = Schema.fromJsonString(
  Schema.Struct({
    watch: Schema.Literal(1),
    subscription: Schema.String,
    apiVersion: Schema.String,
    filter: Schema.String,
    listedAt: Schema.optional(Schema.Number),
    entries: Schema.Array(
      Schema.Struct({
        key: Schema.String,
        delivered: Schema.optional(Schema.Unknown),
        pending: Schema.optional(Schema.Unknown),
        unlistedSince: Schema.optional(Schema.Number),
      }),
    ),
  }),
)

const decode = Schema.decodeUnknownResult(Stored)

/** The list has already checked the vendor's field. No vendor has this name. */
const noVendor = "\0"

/** Loads the state; empty if the key is not set. */
export const load = <V extends ApiVersion.ApiVersion>({
  key,
  store,
  ...location
}: Location<V>): Effect.Effect<State<V>, WatchStoreError> => {
  const fail = (reason: WatchStoreError["reason"]) => () => new WatchStoreError({ key, operation: "load", reason })
  const event = HealthEvent.decode(location.apiVersion, { vendor: noVendor })
  const entry = ({ delivered, key, pending, unlistedSince }: (typeof Stored.Type)["entries"][number]) =>
    Result.gen(function* () {
      const known: Entry<V> = {
        delivered: delivered === undefined ? undefined : yield* event(delivered),
        pending: pending === undefined || pending === null ? pending : yield* event(pending),
        unlistedSince,
      }
      return [key, known] as const
    })
  const read = (text: string): Result.Result<State<V>, WatchStoreError> =>
    Result.mapError(decode(text), fail("unreadable")).pipe(
      Result.filterOrFail(
        ({ apiVersion, filter, subscription }) =>
          subscription === location.subscription && apiVersion === location.apiVersion && filter === location.filter,
        fail("other"),
      ),
      Result.flatMap(({ entries, listedAt }) =>
        Result.mapBoth(Result.all(entries.map(entry)), {
          onFailure: fail("unreadable"),
          onSuccess: (entries) => ({ listedAt, entries: new Map(entries) }),
        }),
      ),
    )
  return Effect.mapError(
    store.get(key),
    (cause) => new WatchStoreError({ key, operation: "load", reason: "unavailable", cause }),
  ).pipe(Effect.flatMap((text) => (text === undefined ? Effect.succeed(empty) : Effect.fromResult(read(text)))))
}

export const save = <V extends ApiVersion.ApiVersion>(
  { key, store, ...location }: Location<V>,
  { entries, listedAt }: State<V>,
): Effect.Effect<void, WatchStoreError> =>
  Effect.suspend(() => {
    const stored: typeof Stored.Type = {
      watch: 1,
      ...location,
      listedAt,
      entries: Array.from(entries, ([key, entry]) => ({ key, ...entry })),
    }
    return Effect.mapError(
      store.set(key, JSON.stringify(stored)),
      (cause) => new WatchStoreError({ key, operation: "save", reason: "unavailable", cause }),
    )
  })
