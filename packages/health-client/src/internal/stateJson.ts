/** The JSON of the state of a watch. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as Changes from "@vigil/health-schema/Changes"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { between, type Change } from "./change.js"
import type { Stored } from "./journal.js"
import type { Known, List, State } from "./state.js"

const StoredChange = Schema.Struct({
  _tag: Schema.Literals(["Appeared", "Updated", "Resolved", "Reopened", "Disappeared"]),
  /** The key of the event, if the state of the event is the latest. */
  key: Schema.optional(Schema.String),
  event: Schema.optional(Schema.Unknown),
  changes: Schema.optional(
    Schema.declare((value): value is Changes.Changes => Predicate.isObject(value) && Array.isArray(value["fields"])),
  ),
})

const list = { subscription: Schema.String, apiVersion: Schema.String, filter: Schema.String }

const Stored2 = Schema.Struct({
  watch: Schema.Literal(2),
  id: Schema.optional(Schema.String),
  list: Schema.Struct(list),
  isNew: Schema.Boolean,
  listedAt: Schema.Number,
  events: Schema.Array(
    Schema.Struct({
      key: Schema.String,
      event: Schema.Unknown,
      /** Absent: that of the list. */
      apiVersion: Schema.optional(Schema.String),
      unlistedSince: Schema.optional(Schema.Number),
    }),
  ),
  pending: Schema.Array(StoredChange),
})

/** A state of release 0.1. It has the delivered event, and the one that may not have been delivered; `null` for one that disappeared. */
const Stored1 = Schema.Struct({
  watch: Schema.Literal(1),
  ...list,
  listedAt: Schema.Number,
  entries: Schema.Array(
    Schema.Struct({
      key: Schema.String,
      delivered: Schema.optional(Schema.Unknown),
      pending: Schema.optional(Schema.Unknown),
      unlistedSince: Schema.optional(Schema.Number),
    }),
  ),
})

const decodeStored = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Union([Stored2, Stored1])))

/** Throws a `RangeError` if an event is nested thousands of levels deep. */
export const encode = <V extends ApiVersion.ApiVersion>({
  id,
  pending,
  state,
}: Stored<State<V>, Change<V>>): string => {
  const events = Array.from(state.events, ([key, known]) => ({ key, ...known }))
  // At the first poll, the events would double the text.
  const keys = new Map(events.map(({ event, key }) => [event, key]))
  const changes = pending.map(({ event, ...change }) => {
    const key = keys.get(event)
    return key === undefined ? { ...change, event } : { ...change, key }
  })
  return JSON.stringify({ watch: 2, id, ...state, events, pending: changes } satisfies typeof Stored2.Type)
}

/** The list has already checked the vendor's field. No vendor has this name. */
const noVendor = "\0"

type Decode<V extends ApiVersion.ApiVersion> = (
  event: unknown,
) => Result.Result<HealthEvent.HealthEvent<V>, "unreadable">

/** How to read the events of a state that a poll of `apiVersion` has stored. */
interface Reader<V extends ApiVersion.ApiVersion> {
  readonly apiVersion: string
  readonly list: List<V>
  readonly eventOf: Decode<V>
}

/** What one version can read of an event of another: the fields that decode. */
const readable = (event: unknown, decode: (event: unknown) => Result.Result<unknown, unknown>): unknown => {
  if (!Predicate.isObject(event)) return event
  const keep = (record: object, wrap: (field: object) => unknown) =>
    Object.fromEntries(
      Object.entries(record).filter(([name, field]) => Result.isSuccess(decode(wrap({ [name]: field })))),
    )
  const { properties } = event
  return {
    ...keep(event, (field) => field),
    ...(Predicate.isObject(properties) && { properties: keep(properties, (field) => ({ properties: field })) }),
  }
}

const readerOf = <V extends ApiVersion.ApiVersion>(list: List<V>, apiVersion: string): Reader<V> => {
  const decode = HealthEvent.decode(list.apiVersion, { vendor: noVendor })
  const decodeOther = (event: unknown) => Result.orElse(decode(event), () => decode(readable(event, decode)))
  const decodeEvent = apiVersion === list.apiVersion ? decode : decodeOther
  return { apiVersion, list, eventOf: (event) => Result.mapError(decodeEvent(event), () => "unreadable" as const) }
}

const knownOf = <V extends ApiVersion.ApiVersion>(
  { apiVersion: stored, list }: Reader<V>,
  event: HealthEvent.HealthEvent<V>,
  { apiVersion = stored, unlistedSince }: Omit<Known<never>, "event">,
): Known<V> => ({ event, apiVersion: apiVersion === list.apiVersion ? undefined : apiVersion, unlistedSince })

const current = <V extends ApiVersion.ApiVersion>(
  reader: Reader<V>,
  { id, isNew, listedAt, ...stored }: typeof Stored2.Type,
) =>
  Result.gen(function* () {
    const { eventOf, list } = reader
    const events = new Map<string, Known<V>>()
    const pending: Array<Change<V>> = []
    for (const { event, key, ...known } of stored.events) events.set(key, knownOf(reader, yield* eventOf(event), known))
    for (const { _tag, changes, event: value, key } of stored.pending) {
      const event = (key === undefined ? undefined : events.get(key)?.event) ?? (yield* eventOf(value))
      if (_tag === "Appeared" || _tag === "Disappeared") pending.push({ _tag, event })
      else if (changes !== undefined) pending.push({ _tag, event, changes })
    }
    return { id, pending, state: { list, isNew, listedAt, events } }
  })

const upgrade = <V extends ApiVersion.ApiVersion>(reader: Reader<V>, { entries, listedAt }: typeof Stored1.Type) =>
  Result.gen(function* () {
    const { eventOf, list } = reader
    const events = new Map<string, Known<V>>()
    const pending: Array<Change<V>> = []
    for (const entry of entries) {
      const before = entry.delivered === undefined ? undefined : yield* eventOf(entry.delivered)
      const event = entry.pending === undefined ? before : entry.pending && (yield* eventOf(entry.pending))
      if (event) events.set(entry.key, knownOf(reader, event, { unlistedSince: entry.unlistedSince }))
      const change = event ? between(before, event) : before && { _tag: "Disappeared" as const, event: before }
      if (change !== undefined) pending.push(change)
    }
    return { pending, state: { list, isNew: false, listedAt, events } }
  })

/** Decodes the state of a list. The state may be of another API version. */
export const decode = <V extends ApiVersion.ApiVersion>(
  text: string,
  list: List<V>,
): Result.Result<Stored<State<V>, Change<V>>, "other" | "unreadable"> =>
  Result.gen(function* () {
    const stored = yield* Result.mapError(decodeStored(text), () => "unreadable" as const)
    const { apiVersion, filter, subscription } = stored.watch === 2 ? stored.list : stored
    const isSame = subscription.toLowerCase() === list.subscription.toLowerCase() && filter === list.filter
    if (!isSame) return yield* Result.fail("other" as const)
    const reader = readerOf(list, apiVersion)
    return yield* stored.watch === 2 ? current(reader, stored) : upgrade(reader, stored)
  })
