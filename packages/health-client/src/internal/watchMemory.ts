/** What a watch told: surely, as another change was asked for after it, or perhaps. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as Watch from "../Watch.js"
import { compare, isResolved, lastUpdate } from "./sighting.js"

/** Events by what they are known by. */
export interface State<V extends ApiVersion.ApiVersion> {
  /** As they were told surely. */
  readonly told: ReadonlyMap<string, HealthEvent.HealthEvent<V>>
  /** As they may have been told since; `undefined` when that may have been that they are gone. */
  readonly perhaps: ReadonlyMap<string, HealthEvent.HealthEvent<V> | undefined>
  /** When a complete list first left out an unresolved event that none has had since, in milliseconds since 1970. */
  readonly unlisted: ReadonlyMap<string, number>
}

/** A change that is to be told: to the event as it is now, or (`undefined`) to none. */
export interface Step<V extends ApiVersion.ApiVersion> {
  readonly key: string
  readonly event: HealthEvent.HealthEvent<V> | undefined
  readonly change: Watch.Change<V>
}

/** What was told, and what that makes of what is seen. */
export interface Memory<V extends ApiVersion.ApiVersion> extends State<V> {
  /** How many events are known. */
  readonly size: () => number
  /** All that is known, and of what is in doubt the state that was updated last. */
  readonly latest: () => ReadonlyArray<readonly [string, HealthEvent.HealthEvent<V>]>
  /** When what is known of it was updated last, as far as that says so. */
  readonly updated: (key: string) => number
  /** The earliest last update of what may have been told, in milliseconds since 1970. */
  readonly doubtfulSince: () => number
  /** What is to be told of an event that is seen like this. What may have been told is told again. */
  readonly seen: (key: string, event: HealthEvent.HealthEvent<V>) => ReadonlyArray<Step<V>>
  /** The same of one that is gone. */
  readonly gone: (key: string, event: HealthEvent.HealthEvent<V>) => Step<V>
  /** What will be known if the watch is killed while it tells this. */
  readonly before: (steps: ReadonlyArray<Step<V>>) => State<V>
  /** The changes one by one: each is told surely when another one is asked for. */
  readonly tell: (steps: ReadonlyArray<Step<V>>) => IterableIterator<Watch.Change<V>>
  /** Forgets what was resolved and updated last before then (milliseconds since 1970), or does not say when and is `left` out. */
  readonly forget: (before: number, left: ReadonlySet<string>) => void
  /** Records which events a complete list at `now` does not contain. Forgets unresolved ones that are missing since `before` or earlier. */
  readonly recordUnlisted: (keys: Iterable<string>, now: number, before: number) => void
}

/** What is known, to go on from. `changed` is called whenever it has changed. */
export const make = <V extends ApiVersion.ApiVersion>(state: State<V>, changed: () => void): Memory<V> => {
  type Event = HealthEvent.HealthEvent<V>
  const told = new Map(state.told)
  const perhaps = new Map(state.perhaps)
  const unlisted = new Map(state.unlisted)

  const at = (event: Event | undefined): number =>
    (event === undefined ? undefined : lastUpdate(event)) ?? Number.NEGATIVE_INFINITY

  const last = (key: string): Event | undefined => {
    const [sure, maybe] = [told.get(key), perhaps.get(key)]
    return maybe === undefined || at(sure) > at(maybe) ? sure : maybe
  }

  const latest = () =>
    [...new Set([...told.keys(), ...perhaps.keys()])].flatMap((key) => {
      const event = last(key)
      return event === undefined ? [] : [[key, event] as const]
    })

  const difference = (key: string, event: Event): Watch.Change<V> | undefined => {
    const [sure, maybe] = [told.get(key), perhaps.get(key)]
    if (!perhaps.has(key)) return compare(sure, event)
    return maybe === undefined ? compare(maybe, event) : (compare(sure, event) ?? compare(maybe, event))
  }

  const isSure = (key: string, event: Event | undefined): boolean => {
    const sure = told.get(key)
    return event === undefined || sure === undefined ? event === sure : compare(sure, event) === undefined
  }

  /** Adds to the doubts that this may have been told. To tell again what was told surely ends no doubt that there is. */
  const doubt = (doubts: Map<string, Event | undefined>, { event, key }: Step<V>) => {
    if (!doubts.has(key) || !isSure(key, event)) doubts.set(key, event)
  }

  const drop = (key: string) => {
    told.delete(key)
    perhaps.delete(key)
    changed()
  }

  return {
    told,
    perhaps,
    unlisted,
    size: () => Math.max(told.size, perhaps.size),
    latest,
    updated: (key) => at(last(key)),
    doubtfulSince: () =>
      Array.from(perhaps.keys(), (key) => at(last(key)))
        .filter(Number.isFinite)
        .reduce((earliest, update) => Math.min(earliest, update), Number.POSITIVE_INFINITY),
    seen: (key, event) => {
      const change = difference(key, event)
      return change === undefined ? [] : [{ key, event, change }]
    },
    gone: (key, event) => ({ key, event: undefined, change: { _tag: "Disappeared", event } }),
    before: (steps) => {
      const doubts = new Map(perhaps)
      for (const step of steps) doubt(doubts, step)
      return { told, perhaps: doubts, unlisted }
    },
    *tell(steps) {
      for (const step of steps) {
        doubt(perhaps, step)
        changed()
        yield step.change
        perhaps.delete(step.key)
        if (step.event === undefined) told.delete(step.key)
        else told.set(step.key, step.event)
      }
    },
    forget: (before, left) => {
      for (const [key, event] of latest()) {
        const update = lastUpdate(event)
        const isOver = update === undefined ? left.has(key) : update < before
        if (isOver && isResolved(event)) drop(key)
      }
    },
    recordUnlisted: (keys, now, before) => {
      const earlier = new Map(unlisted)
      unlisted.clear()
      for (const key of keys) {
        const event = last(key)
        if (event === undefined || isResolved(event)) continue
        const since = earlier.get(key) ?? now
        if (since <= before) drop(key)
        else unlisted.set(key, since)
      }
      if (unlisted.size !== earlier.size || [...unlisted.keys()].some((key) => !earlier.has(key))) changed()
    },
  }
}
