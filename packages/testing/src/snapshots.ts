/** Snapshots of the sandbox's events at a fixed time. */
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import { World } from "@vigil/sandbox"
import * as Result from "effect/Result"

/** A snapshot of `@vigil/health-report`. */
interface Snapshot {
  readonly source: string
  readonly events: ReadonlyArray<HealthEvent.AnyEvent>
  readonly invalid: number
  readonly failed: ReadonlyArray<never>
  readonly from: number
  readonly now: number
}

const now = Date.parse("2026-03-10T12:00:00Z")
const day = 86_400_000

const { events, subscriptions } = World.make({ now })

/** The events of the first subscription in the last 30 days. */
export const month: Snapshot = {
  source: `Subscription ${subscriptions[0].id}`,
  from: now - 30 * day,
  now,
  invalid: 0,
  failed: [],
  events: events
    .filter(({ lastUpdate, subscriptions: ids }) => ids.includes(subscriptions[0].id) && lastUpdate > now - 30 * day)
    .map(({ event }) => Result.getOrThrow(HealthEvent.decode("2025-05-01")(event))),
}

/** One event of each type. */
export const onePerType: Snapshot = {
  ...month,
  events: [...new Map(month.events.map((event) => [event.properties?.eventType, event])).values()],
}

/** Replaces every text of the events except times, which would become invalid. */
export const replaceTexts = ({ events, ...rest }: Snapshot, text: (path: string) => string): Snapshot => {
  const replace = (value: unknown, path: string): unknown => {
    if (typeof value === "string") return /^(\d{4}-\d\d-\d\dT.*)?$/.test(value) ? value : text(path)
    if (Array.isArray(value)) return value.map((one, index) => replace(one, `${path}[${index}]`))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replace(one, `${path}.${name}`)]))
  }
  // The cast is valid because enumerations accept any text.
  return { ...rest, source: text("source"), events: events.map((event) => replace(event, "event") as typeof event) }
}
