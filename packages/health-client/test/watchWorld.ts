/** A model of the events of a service, and the moves that change it. */
import { type HealthEvent, OpenEnum, Timestamp } from "@vigil/health-schema"
import * as DateTime from "effect/DateTime"
import * as FastCheck from "fast-check"
import * as Option from "effect/Option"

export const hour = 60 * 60 * 1000
const beginning = Date.UTC(2026, 2, 10, 12)

type Event = HealthEvent.HealthEvent

/** The events. `version` makes every state unique. */
export interface World {
  readonly now: number
  readonly version: number
  readonly events: ReadonlyMap<string, Event>
}

export const empty: World = { now: beginning, version: 0, events: new Map() }

/**
 * A step in a history. A numbered event appears, last updated `age` hours ago. An existing event is updated, resolved, reopened or
 * removed. Time passes, or the clock is set back.
 */
export type Move =
  | { readonly _tag: "Appear"; readonly event: number; readonly age: number }
  | { readonly _tag: "Update" | "Resolve" | "Reopen" | "Vanish"; readonly event: number }
  | { readonly _tag: "Pass"; readonly hours: number }

/** The time of the last update of an event. */
export const updatedAt = (event: Event): number =>
  Option.match(Timestamp.instant(event.properties?.lastUpdateTime), {
    onNone: () => Number.NaN,
    onSome: (at) => DateTime.toEpochMillis(at),
  })

export const isResolved = (event: Event): boolean => OpenEnum.equals(event.properties?.status, "Resolved")

/** Changes an event. Some versions also change its title or a region of its impact, others only the status and the update time. */
const changed = (event: Event, at: number, version: number, status: "Active" | "Resolved"): Event => ({
  ...event,
  properties: {
    ...event.properties,
    status,
    lastUpdateTime: new Date(at).toISOString() as Timestamp.Timestamp,
    ...(version % 3 === 0 ? { title: `version ${version}` } : {}),
    ...(version % 3 === 1
      ? { impact: [{ impactedService: "Storage", impactedRegions: [{ impactedRegion: `region ${version}`, status }] }] }
      : {}),
  },
})

/** Returns the world after a move. Impossible moves change nothing. */
export const applyMove = (world: World, move: Move): World => {
  if (move._tag === "Pass") return { ...world, now: world.now + move.hours * hour }
  const version = world.version + 1
  const put = (id: string, event: Event): World => ({
    ...world,
    version,
    events: new Map([...world.events, [id, event]]),
  })
  if (move._tag === "Appear") {
    const id = `/events/${move.event}`
    const event: Event = { id, name: `T${move.event}`, properties: { title: `appeared as ${version}` } }
    return world.events.has(id)
      ? world
      : put(id, changed(event, world.now - Math.round(move.age * hour), version, "Active"))
  }
  const found = [...world.events][move.event % Math.max(1, world.events.size)]
  if (found === undefined) return world
  const [id, event] = found
  if (move._tag === "Vanish") return { ...world, events: new Map([...world.events].filter(([other]) => other !== id)) }
  const willBeResolved = { Update: isResolved(event), Resolve: true, Reopen: false }[move._tag]
  if (move._tag !== "Update" && willBeResolved === isResolved(event)) return world
  const at = Math.max(world.now, updatedAt(event) + 1)
  return put(id, changed(event, at, version, willBeResolved ? "Resolved" : "Active"))
}

/** Returns the events as a service lists them: last updated first. */
export const listEvents = (world: World): ReadonlyArray<Event> =>
  [...world.events.values()].toSorted(
    (a, b) => updatedAt(b) - updatedAt(a) || (a.name ?? "").localeCompare(b.name ?? ""),
  )

const eventNumber = FastCheck.nat(7)
const kind = <Tag extends Move["_tag"]>(tag: Tag) => FastCheck.constant(tag)

const appear = FastCheck.record({
  _tag: kind("Appear"),
  event: eventNumber,
  age: FastCheck.oneof(FastCheck.nat(24), FastCheck.nat(96)),
})
const touch = FastCheck.record({
  _tag: FastCheck.constantFrom(
    "Update" as const,
    "Resolve" as const,
    "Resolve" as const,
    "Reopen" as const,
    "Vanish" as const,
  ),
  event: eventNumber,
})
const pass = FastCheck.record({
  _tag: kind("Pass"),
  hours: FastCheck.oneof(FastCheck.nat(6), FastCheck.nat(80), FastCheck.integer({ min: -12, max: -1 })),
})

export const move: FastCheck.Arbitrary<Move> = FastCheck.oneof(
  { weight: 4, arbitrary: appear },
  { weight: 5, arbitrary: touch },
  { weight: 2, arbitrary: pass },
)
