/** Compares the list of a poll with the known events. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Changes from "@vigil/health-schema/Changes"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Limits from "@vigil/health-schema/Limits"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import type * as Listing from "../Listing.js"
import { between, type Change } from "./change.js"
import type { Known, State } from "./state.js"

/** How to poll. @category models @since 0.2.0 */
export interface Times {
  /** The time before the list is read. */
  readonly now: DateTime.Utc
  /**
   * How far each list reaches back before the last complete list, by update time. Events published with an older update time are missed.
   * Default: 3 days, as the lists of the service. By default, the first list reaches back 90 days for events that are still active.
   */
  readonly lookback?: Duration.Input | undefined
  /** Whether the first poll emits the events that exist already. Default: `emit`. */
  readonly baseline?: "emit" | "skip" | undefined
}

/** What a poll needs of a page of a list. @category models @since 0.2.0 */
export interface Page<V extends ApiVersion.ApiVersion = ApiVersion.Default> extends Pick<
  Listing.Page<HealthEvent.HealthEvent<V>>,
  "invalid" | "items"
> {}

/** The result of a poll. */
interface Step<V extends ApiVersion.ApiVersion> {
  readonly changes: ReadonlyArray<Change<V>>
  /** The state after the changes are handled. */
  readonly state: State<V>
}

/**
 * How long to keep a resolved event after lists no longer reach its last update, at least `lookback`. A later update of it is `Appeared`. A
 * final review may follow within 14 days of mitigation.
 */
const resolvedRetention = Duration.toMillis("30 days")

/** How long to keep an unresolved event that no complete list contains. It is then removed without a change, and is `Appeared` if it returns. */
const unresolvedRetention = Duration.toMillis("90 days")

type Event<V extends ApiVersion.ApiVersion> = HealthEvent.HealthEvent<V>
type AnyEvent = Event<ApiVersion.ApiVersion>

/** A state that differs only in its time is replaced after this, so that a watch does not store its state at each poll. */
const hour = Duration.toMillis("1 hour")

/** In milliseconds since 1970. */
const lastUpdate = (event: AnyEvent): number | undefined =>
  Option.getOrUndefined(Option.map(Timestamp.instant(event.properties?.lastUpdateTime), DateTime.toEpochMillis))

const updatedAt = (event: AnyEvent): number => lastUpdate(event) ?? Number.NEGATIVE_INFINITY

/** Oldest update first, as in a log: an event without a time before the others, and one that disappeared now after them. */
const inOrder = Order.mapInput(Order.Number, ({ _tag, event }: Change<ApiVersion.ApiVersion>) =>
  _tag === "Disappeared" ? Number.POSITIVE_INFINITY : updatedAt(event),
)

/** An event without a key is identified by its content. */
const keyOf = (event: AnyEvent): string => HealthEvent.recordKey(event) ?? JSON.stringify(event)

/** Services may omit these from a list. They are then removed without a change. */
const isUndated = (event: AnyEvent) => HealthEvent.isResolved(event) && lastUpdate(event) === undefined

/** Whether the event is from a list of another version, and of a type that this version lacks. Its lists then do not say that it is gone. */
const isForeign = ({ list }: State<ApiVersion.ApiVersion>, { apiVersion, event }: Known<ApiVersion.ApiVersion>) => {
  const type = event.properties?.eventType ?? ""
  return apiVersion !== undefined && type !== "" && !OpenEnum.find(HealthEvent.eventTypes(list.apiVersion), type)
}

/** `recent`: when the list would begin without the events of the first poll that are still active. */
const resolve = (state: State<ApiVersion.ApiVersion>, { lookback, now }: Times) => {
  const millis = DateTime.toEpochMillis(now)
  const span = Duration.toMillis(lookback ?? Duration.days(Limits.defaultDaysBack))
  const first = lookback === undefined && state.isNew ? Duration.toMillis(Duration.days(Limits.activeDaysBack)) : span
  const before = (time: number) => Math.max(0, Math.min(millis, state.listedAt) - time)
  return { now: millis, lookback: span, start: before(first), recent: before(span) }
}

/** Returns when the list of a poll must begin. */
export const since = (state: State<ApiVersion.ApiVersion>, times: Times): DateTime.Utc =>
  DateTime.makeUnsafe(resolve(state, times).start)

/** What the pages of a poll contain. */
const read = <V extends ApiVersion.ApiVersion>(
  state: State<V>,
  pages: ReadonlyArray<Page<V>>,
  { recent, start }: { readonly recent: number; readonly start: number },
) => {
  const listed = new Map<string, Event<V>>()
  /** Events of invalid entries have not disappeared. */
  const invalidKeys = new Set<string | undefined>()
  for (const { invalid, items } of pages) {
    for (const { raw } of invalid) invalidKeys.add(HealthEvent.recordKey(raw))
    for (const event of items) {
      const first = HealthEvent.isResolved(event) ? recent : start
      if ((lastUpdate(event) ?? first) < first) continue
      const key = keyOf(event)
      const other = listed.get(key)
      if (other === undefined || updatedAt(event) > updatedAt(other)) listed.set(key, event)
    }
  }
  const isMissing = (key: string, event: Event<V>) =>
    !listed.has(key) && !invalidKeys.has(key) && !invalidKeys.has(HealthEvent.trackingKey(event) ?? key)
  const isInRange = (known: Known<V>) => updatedAt(known.event) >= start && !isForeign(state, known)
  const isExpected = (known: Known<V>) => isInRange(known) || (isUndated(known.event) && !isForeign(state, known))
  // Without a key, an invalid entry could be any event.
  return { listed, isMissing, isInRange, isExpected, isAmbiguous: invalidKeys.has(undefined) }
}

export const needsSecondRead = <V extends ApiVersion.ApiVersion>(
  state: State<V>,
  pages: ReadonlyArray<Page<V>>,
  times: Times,
): boolean => {
  if (pages.length < 2) return false
  const { isAmbiguous, isExpected, isMissing } = read(state, pages, resolve(state, times))
  return (
    !isAmbiguous && Array.from(state.events).some(([key, known]) => isMissing(key, known.event) && isExpected(known))
  )
}

/**
 * Returns the changes of a poll, oldest update first, and the next state. `pages` are the complete list since `since(state, times)`. Returns the same state if there
 * is nothing to store.
 *
 * Events are identified by `HealthEvent.recordKey`. One that a list of another API version contained is compared in what both have. An invalid
 * entry keeps its event; one without `id` and `name` keeps all events, at most for the retention. Throws a `RangeError` if an event is nested thousands of levels deep.
 */
export const step = <V extends ApiVersion.ApiVersion>(
  state: State<V>,
  pages: ReadonlyArray<Page<V>>,
  times: Times,
): Step<V> => {
  const { lookback, now, recent, start } = resolve(state, times)
  const retention = Math.max(lookback, resolvedRetention)
  const { isAmbiguous, isExpected, isInRange, isMissing, listed } = read(state, pages, { recent, start })
  const events = new Map(state.events)
  const changes: Array<Change<V>> = []
  let isChanged = state.isNew
  let isHidden = false

  /** Returns what to keep of an event that the list lacks. */
  const keep = (known: Known<V>, isGone: boolean): Known<V> | undefined => {
    const { event } = known
    if (isGone && !isAmbiguous && isExpected(known)) return undefined
    if (HealthEvent.isResolved(event)) return (lastUpdate(event) ?? start) < start - retention ? undefined : known
    const unlistedSince = isGone ? (known.unlistedSince ?? now) : undefined
    if (unlistedSince !== undefined && unlistedSince <= now - unresolvedRetention) return undefined
    return unlistedSince === known.unlistedSince ? known : { ...known, unlistedSince }
  }

  for (const [key, event] of listed) {
    const known = state.events.get(key)
    const isOther = known?.apiVersion !== undefined
    const change = between(known?.event, event, isOther ? Changes.compareShared : Changes.compare)
    // Also an equal event: with another spelling, it would be compared field by field in each poll.
    events.set(key, { event })
    if (change !== undefined) changes.push(change)
    if (change !== undefined || known?.unlistedSince !== undefined || isOther) isChanged = true
  }
  for (const [key, known] of state.events) {
    if (listed.has(key)) continue
    const { event } = known
    const isGone = isMissing(key, event)
    if (isGone && isInRange(known)) {
      if (isAmbiguous) isHidden = true
      else changes.push({ _tag: "Disappeared", event })
    }
    const kept = keep(known, isGone)
    if (kept === known) continue
    isChanged = true
    if (kept === undefined) events.delete(key)
    else events.set(key, kept)
  }

  changes.sort(inOrder)
  // Keep looking for an event that an invalid entry may hide, for `retention` at most.
  const listedAt = isHidden ? Math.min(now, Math.max(state.listedAt, now - retention)) : now
  const age = listedAt - state.listedAt
  if (!isChanged && age >= 0 && age < Math.min(hour, lookback)) return { changes, state }
  return {
    changes: state.isNew && times.baseline === "skip" ? [] : changes,
    state: { list: state.list, isNew: false, listedAt, events },
  }
}
