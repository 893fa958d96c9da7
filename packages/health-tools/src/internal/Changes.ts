/** Compares lists with what an agent was delivered: each change is delivered once, whichever lists fail in between. */
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Duration from "effect/Duration"
import type { EventList } from "@vigil/health-verdict/EventList"
import type { Subject } from "@vigil/health-verdict/Subject"
import * as Cursor from "./Cursor.js"
import * as Query from "./Query.js"
import type * as Row from "./Row.js"
import * as Time from "./Time.js"

type List = Pick<EventList, "events" | "subject">

/** Times are in milliseconds since 1970. */
interface Facts {
  readonly state: Cursor.State
  readonly now: number
  /** Of the call, without those whose lists may not be read. */
  readonly subjects: ReadonlyArray<Subject>
  /** The lists that were read to their ends. */
  readonly lists: ReadonlyArray<List>
  readonly matches: (event: HealthEvent.AnyEvent) => boolean
}

export interface Change {
  readonly position: Cursor.Position
  readonly one: Row.JoinedEvent
  /** When the changes of its subscriptions were delivered before. */
  readonly since: number
  /** Whether a subscription has it that is not behind. */
  readonly isCurrent: boolean
}

/** How late an update may be published. Also how long a subscription that fails may hold changes of others back. In milliseconds. */
const patience = Duration.toMillis("7 days")

const keyOf = (event: HealthEvent.AnyEvent): string => HealthEvent.eventKey(event) ?? JSON.stringify(event)

const updateOf = ({ properties }: HealthEvent.AnyEvent): number => Time.millis(properties?.lastUpdateTime)

/** Returns the changes in order. `next` returns the state after the first ones are delivered. */
export const compare = ({ lists, matches, now, state, subjects }: Facts) => {
  const { behind, pending, position, since, delivered } = state
  const reached = Cursor.latest(position, delivered.at(-1) ?? position)
  const failed: Cursor.Behind = {
    position: pending === undefined ? reached : Cursor.earliest(reached, Cursor.before(pending)),
    since,
    failedAt: now,
  }
  const isTold = new Set(delivered.map(String))
  const read = new Set(lists.map(({ subject }) => Cursor.sourceOf(subject)))
  const unread = new Map(
    subjects
      .map(Cursor.sourceOf)
      .filter((one) => !read.has(one))
      .map((one) => [one, behind.get(one) ?? failed] as const),
  )

  /** The subscriptions that show each update. Only copies with the latest update of an event do. */
  const updates = new Map<string, { readonly time: number; readonly sources: Array<number> }>()
  for (const { events, subject } of lists)
    for (const event of events) {
      const [key, time] = [keyOf(event), updateOf(event)]
      const known = updates.get(key)
      const current = known === undefined || time > known.time ? { time, sources: [] } : known
      updates.set(key, current)
      if (current.time === time && matches(event)) current.sources.push(Cursor.sourceOf(subject))
    }

  const all = Query.join(lists).flatMap((one) => {
    const key = keyOf(one.event)
    const { sources, time } = updates.get(key) ?? { sources: [], time: Number.NaN }
    const at: Cursor.Position = [time, Cursor.eventOf(key)]
    const isPast = !Cursor.isAfter(at, position)
    const wasTold =
      isTold.has(String(at)) ||
      (isPast && sources.some((source) => !Cursor.isAfter(at, behind.get(source)?.position ?? at)))
    return sources.length === 0 || !(time >= 0) || wasTold ? [] : [{ at, isPast, one, sources }]
  })

  // A change that a failed subscription may also have was perhaps delivered for it. Then the subscriptions that are behind wait for that one.
  const waiting = new Set(
    all
      .filter(
        ({ at, isPast }) =>
          isPast &&
          [...unread.values()].some((one) => now - one.failedAt < patience && !Cursor.isAfter(at, one.position)),
      )
      .flatMap(({ sources }) => sources),
  )
  const changes = all
    .flatMap(({ at, one, sources }): ReadonlyArray<Change> => {
      const comparable = sources.filter((source) => !waiting.has(source))
      const times = comparable.map((source) => behind.get(source)?.since ?? since)
      const isCurrent = comparable.some((source) => !behind.has(source))
      return comparable.length === 0 ? [] : [{ position: at, one, since: Math.max(...times), isCurrent }]
    })
    .toSorted((one, other) => Cursor.order(one.position, other.position))

  const next = (count: number): Cursor.State => {
    if (lists.length === 0) return state
    const left = changes.slice(count)
    const end = left[0] && Cursor.before(left[0].position)
    const delivered = [...state.delivered, ...changes.slice(0, count).map(({ position }) => position)]
      .filter((one) => Cursor.isAfter(one, position))
      .toSorted(Cursor.order)
    const wanted = Cursor.latest([now - patience, 0], delivered.at(-1 - Cursor.maxTold) ?? position)
    const moved = Cursor.latest(position, end === undefined ? wanted : Cursor.earliest(wanted, end))
    const stillBehind = [...behind].flatMap(([subscription, one]) => {
      if (!read.has(subscription) || (end === undefined && !waiting.has(subscription))) return []
      const untilEnd = waiting.has(subscription) || end === undefined ? one.position : Cursor.latest(one.position, end)
      return [[subscription, { ...one, position: untilEnd }] as const]
    })
    return {
      since: end === undefined ? now : since,
      position: moved,
      delivered: delivered.filter((one) => Cursor.isAfter(one, moved)),
      pending: left.find(({ isCurrent }) => isCurrent)?.position,
      behind: new Map([...unread, ...stillBehind]),
    }
  }

  return { changes, waiting: all.length - changes.length, next }
}
