/** Merges the events of lists, for a report or a page. */
import type { Snapshot } from "@vigil/health-report/Snapshot"
import * as EventUnion from "@vigil/health-schema/EventUnion"
import * as Limits from "@vigil/health-schema/Limits"
import * as Duration from "effect/Duration"
import type { AnyEvent } from "../connection/AnyEvent.js"
import * as Known from "./Known.js"

/** What is known of a list of events. */
export interface KnownEvents extends Known.Known {
  readonly events: ReadonlyArray<AnyEvent>
  /** How many valid events are left out, because they were updated before the start time: some may be active. */
  readonly older: number
}

const sourceOf = (all: ReadonlyArray<Known.Known>): string => {
  const [first, ...others] = all.map(({ list }) => list)
  if (first === undefined) return ""
  return others.length === 0
    ? Known.source(first)
    : `Subscriptions ${[first, ...others].map(({ title }) => title).join(", ")}`
}

/** How far back a list has all active events. */
const reach = Duration.toMillis(Duration.days(Limits.activeDaysBack))

export const make = (
  all: ReadonlyArray<KnownEvents>,
  { from, isFiltered = false, now }: Pick<Snapshot, "from" | "isFiltered" | "now">,
): Snapshot => {
  const [first, ...others] = all
  const hasAll = from <= now - reach && !isFiltered
  return {
    source: sourceOf(all),
    events:
      first !== undefined && others.length === 0
        ? first.events
        : EventUnion.mergeByTrackingId(all.flatMap(({ events }) => events)),
    subscriptions: all.flatMap(({ events, invalid, list: { id, kind, name }, older, problem }) => {
      const isComplete = hasAll && problem === undefined && invalid === 0 && older === 0
      return kind === "Subscription" ? [{ id, name, events, isComplete }] : []
    }),
    ...Known.gaps(all),
    isFiltered,
    from,
    now,
  }
}
