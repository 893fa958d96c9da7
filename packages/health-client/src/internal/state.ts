/** The state of a watch, and its JSON; public in `Watch`. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as Changes from "@vigil/health-schema/Changes"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as DateTime from "effect/DateTime"
import * as Equal from "effect/Equal"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Filter from "../Filter.js"
import type * as Listing from "../Listing.js"
import type { SubscriptionId } from "../SubscriptionId.js"
import { WatchStoreError } from "../WatchStore.js"
import type { Change } from "./change.js"
import { versionOf } from "./source.js"

/** The list that a state belongs to. @category models @since 0.2.0 */
export interface List<V extends ApiVersion.ApiVersion = ApiVersion.Latest> {
  readonly subscription: string
  readonly apiVersion: V
  /** The text of the `$filter`; empty for none. */
  readonly filter: string
}

/** An event that a list contained. @category models @since 0.2.0 */
export interface Known<V extends ApiVersion.ApiVersion = ApiVersion.Latest> {
  readonly event: HealthEvent.HealthEvent<V>
  /** When a complete list first lacked the unresolved event, in milliseconds since 1970. */
  readonly unlistedSince?: number | undefined
}

/** What a watch knows. @category models @since 0.2.0 */
export interface State<V extends ApiVersion.ApiVersion = ApiVersion.Latest> {
  readonly list: List<V>
  /** Whether no poll was complete yet. */
  readonly isNew: boolean
  /** The time of the last complete list, or when the state was made, in milliseconds since 1970. */
  readonly listedAt: number
  /** By `HealthEvent.recordKey`. */
  readonly events: ReadonlyMap<string, Known<V>>
  /** The changes that may not have been handled, in order. */
  readonly pending: ReadonlyArray<Change<V>>
}

const listOf = <V extends ApiVersion.ApiVersion>(
  subscription: SubscriptionId,
  { apiVersion, filter }: Listing.Query<V>,
): List<V> => ({ subscription, apiVersion: versionOf(apiVersion), filter: Filter.render(filter) })

/** Returns the state before the first poll. @category states @since 0.2.0 */
export const empty = <const V extends ApiVersion.ApiVersion = ApiVersion.Latest>(
  subscription: SubscriptionId,
  options: Listing.Query<V> & { readonly now: DateTime.Utc },
): State<V> => ({
  list: listOf(subscription, options),
  isNew: true,
  listedAt: DateTime.toEpochMillis(options.now),
  events: new Map<string, never>(),
  pending: [],
})

/** Returns a state without the pending changes that were handled. @category states @since 0.2.0 */
export const handled = <V extends ApiVersion.ApiVersion>(state: State<V>, changes: ReadonlySet<Change<V>>): State<V> =>
  changes.size === 0 ? state : { ...state, pending: state.pending.filter((change) => !changes.has(change)) }

const StoredChange = Schema.Struct({
  _tag: Schema.Literals(["Appeared", "Updated", "Resolved", "Reopened", "Disappeared"]),
  /** The key of the event, if the state of the event is the latest. */
  key: Schema.optional(Schema.String),
  event: Schema.optional(Schema.Unknown),
  changes: Schema.optional(
    Schema.declare((value): value is Changes.Changes => Predicate.isObject(value) && Array.isArray(value["fields"])),
  ),
})

const Stored = Schema.fromJsonString(
  Schema.Struct({
    watch: Schema.Literal(2),
    list: Schema.Struct({ subscription: Schema.String, apiVersion: Schema.String, filter: Schema.String }),
    isNew: Schema.Boolean,
    listedAt: Schema.Number,
    events: Schema.Array(
      Schema.Struct({ key: Schema.String, event: Schema.Unknown, unlistedSince: Schema.optional(Schema.Number) }),
    ),
    pending: Schema.Array(StoredChange),
  }),
)

const decodeStored = Schema.decodeUnknownResult(Stored)

/** Encodes a state as text. Fails if an event is nested thousands of levels deep. @category states @since 0.2.0 */
export const encode = (state: State<ApiVersion.ApiVersion>): Result.Result<string, WatchStoreError> =>
  Result.try({
    try: () => {
      const events = Array.from(state.events, ([key, known]) => ({ key, ...known }))
      // At the first poll, the events would double the text.
      const keys = new Map(events.map(({ event, key }) => [event, key]))
      const pending = state.pending.map(({ event, ...change }) => {
        const key = keys.get(event)
        return key === undefined ? { ...change, event } : { ...change, key }
      })
      return JSON.stringify({ watch: 2, ...state, events, pending } satisfies typeof Stored.Type)
    },
    catch: () => new WatchStoreError({ operation: "save", reason: "tooDeep" }),
  })

/** The list has already checked the vendor's field. No vendor has this name. */
const noVendor = "\0"

const fail = (reason: WatchStoreError["reason"]) => () => new WatchStoreError({ operation: "load", reason })

/** Decodes the state of this subscription, version and filter. @category states @since 0.2.0 */
export const decode = <const V extends ApiVersion.ApiVersion = ApiVersion.Latest>(
  text: string,
  subscription: SubscriptionId,
  query: Listing.Query<V> = {},
): Result.Result<State<V>, WatchStoreError> => {
  const list = listOf(subscription, query)
  const decodeEvent = HealthEvent.decode(list.apiVersion, { vendor: noVendor })
  return Result.gen(function* () {
    const stored = yield* Result.mapError(decodeStored(text), fail("unreadable"))
    if (!Equal.equals(stored.list, list)) return yield* Result.fail(fail("other")())
    const events = new Map<string, Known<V>>()
    const pending: Array<Change<V>> = []
    const eventOf = (value: unknown) => Result.mapError(decodeEvent(value), fail("unreadable"))
    for (const { event, key, unlistedSince } of stored.events)
      events.set(key, { event: yield* eventOf(event), unlistedSince })
    for (const { _tag, changes, event: value, key } of stored.pending) {
      const event = (key === undefined ? undefined : events.get(key)?.event) ?? (yield* eventOf(value))
      if (_tag === "Appeared" || _tag === "Disappeared") pending.push({ _tag, event })
      else if (changes !== undefined) pending.push({ _tag, event, changes })
    }
    return { list, isNew: stored.isNew, listedAt: stored.listedAt, events, pending }
  })
}
