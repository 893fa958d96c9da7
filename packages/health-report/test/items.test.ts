import * as Events from "@vigil/health-schema/Events"
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import { month } from "@vigil/testing/snapshots"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { expect, it } from "vitest"
import * as Items from "../src/internal/items.js"

const regions = [
  { impactedRegion: "East US", status: "Resolved", lastUpdateTime: "2026-03-10T09:30:00Z" },
  { impactedRegion: "UK South", status: "resolved", lastUpdateTime: "2026-03-10T08:00:00Z" },
  { status: "Resolved" },
]

const odd: ReadonlyArray<object> = [
  { impactStartTime: "2026-03-10T09:00:00Z", impact: [{ impactedRegions: regions }, { impactedService: "DNS" }] },
  { impactStartTime: "2026-03-10T09:00:00Z", impactMitigationTime: "2026-03-10T08:00:00Z" },
  { impactStartTime: "2026-03-10T09:00:00Z", impactMitigationTime: "0001-01-01T00:00:00", status: "Resolved" },
  { impactStartTime: "2026-03-10T09:00:00Z", lastUpdateTime: "2026-03-10T10:00:00Z", status: "Resolved" },
  { impactStartTime: "2026-02-30T09:00:00Z" },
  { impactStartTime: "2026-01-31T09:00:00.9999999Z", impactMitigationTime: "2026-02-01T09:00:00.9999999Z" },
  { impactStartTime: "0050-01-01T09:00:00.5Z", impactMitigationTime: "2026-02-01T09:00:00+02:00" },
].map((properties) => ({ properties }))

const numbers = (interval: Option.Option<Events.Interval>) =>
  Option.getOrUndefined(
    Option.map(interval, ({ end, start }) => ({
      start: DateTime.toEpochMillis(start),
      end: Option.match(end, { onNone: () => Infinity, onSome: DateTime.toEpochMillis }),
    })),
  )

it("the intervals and impacts of events are those of the schema", () => {
  // The fields are as in a list of the service.
  const items = Items.make([...month.events, ...(odd as ReadonlyArray<AnyEvent>)])
  for (const item of items) {
    expect(item.interval).toEqual(numbers(Events.interval(item.event)))
    const impacts = Events.impacts(item.event).map((impact) => ({
      ...impact,
      interval: numbers(impact.interval),
      item,
    }))
    if (impacts.length > 0) expect(Items.impacts(item)).toEqual(impacts)
  }
})
