/** A model of the events of a service, and the moves that change it. */
import { HealthEvent, Timestamp } from "@vigil/health-schema"
import * as DateTime from "effect/DateTime"
import * as FastCheck from "fast-check"
import * as Option from "effect/Option"

export const hour = 60 * 60 * 1000

type Event = HealthEvent.HealthEvent

/** The events. `version` makes every state unique. */
export interface World {
  readonly now: number
  readonly version: number
  readonly events: ReadonlyMap<string, Event>
}

export const empty: World = { now: Date.UTC(2026, 2, 10, 12), version: 0, events: new Map() }

/** The time of the last update of an event. */
export const updatedAt = (event: HealthEvent.AnyEvent): number =>
  Option.match(Timestamp.instant(event.properties?.lastUpdateTime), {
    onNone: () => Number.NaN,
    onSome: (at) => DateTime.toEpochMillis(at),
  })

const kind = <Tag extends string>(...tags: ReadonlyArray<Tag>) => FastCheck.constantFrom(...tags)
const event = FastCheck.nat(7)
const hours = FastCheck.oneof(FastCheck.nat(6), FastCheck.nat(80), FastCheck.integer({ min: -12, max: -1 }))

/**
 * A step in a history. A numbered event appears, last updated `age` hours ago. An existing event is updated, resolved, reopened or
 * removed. Time passes, or the clock is set back.
 */
export const move = FastCheck.oneof(
  { weight: 4, arbitrary: FastCheck.record({ _tag: kind("Appear"), event, age: FastCheck.nat(96) }) },
  { weight: 5, arbitrary: FastCheck.record({ _tag: kind("Update", "Resolve", "Resolve", "Reopen", "Vanish"), event }) },
  { weight: 2, arbitrary: FastCheck.record({ _tag: kind("Pass"), hours }) },
)

export type Move = typeof move extends FastCheck.Arbitrary<infer M> ? M : never

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
  const events = new Map(world.events)
  if (move._tag === "Appear") {
    const id = `/events/${move.event}`
    if (events.has(id)) return world
    const event = { id, name: `T${move.event}`, properties: { title: `appeared as ${version}` } }
    events.set(id, changed(event, world.now - Math.round(move.age * hour), version, "Active"))
    return { ...world, version, events }
  }
  const [id, event] = [...events][move.event % Math.max(1, events.size)] ?? []
  if (id === undefined || event === undefined) return world
  const isResolved = HealthEvent.isResolved(event)
  if (move._tag === "Vanish") events.delete(id)
  else {
    const willBeResolved = { Update: isResolved, Resolve: true, Reopen: false }[move._tag]
    if (move._tag !== "Update" && willBeResolved === isResolved) return world
    const at = Math.max(world.now, updatedAt(event) + 1)
    events.set(id, changed(event, at, version, willBeResolved ? "Resolved" : "Active"))
  }
  return { ...world, version, events }
}

const ownPrefix = "only "

/** Returns an event as a version of the API sends it: each has fields of its own. */
export const viewOf = (event: Event, apiVersion: string): Event => {
  const own = { [`${ownPrefix}${apiVersion}`]: updatedAt(event) }
  return { ...event, ...own, properties: { ...event.properties, ...own } }
}

/** Whether only one version has a field. */
export const isOwn = (path: string): boolean => path.includes(ownPrefix)

/** Returns the events as a service lists them: last updated first. */
export const listEvents = (world: World): ReadonlyArray<Event> =>
  [...world.events.values()].toSorted(
    (a, b) => updatedAt(b) - updatedAt(a) || (a.name ?? "").localeCompare(b.name ?? ""),
  )
