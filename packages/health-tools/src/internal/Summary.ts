/** `summarize_health`: counts, and the events that matter most. */
import * as Severity from "@vigil/health-report/Severity"
import * as Events from "@vigil/health-schema/Events"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as Query from "./Query.js"
import * as Row from "./Row.js"

export const parameters = Query.Query

export const success = Schema.Struct({
  events: Schema.Finite,
  unresolvedIssues: Schema.Finite,
  invalidEntries: Schema.Finite,
  counts: Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Finite)),
  namesLeftOut: Schema.Finite,
  mostImportant: Schema.Array(Row.Brief),
  failed: Query.failed,
})

/** How many names of each kind are counted. The first length that fits the budget is used. */
const lengths = [12, 6, 3, 1, 0]

type Count = readonly [name: string, events: number]

const count = (
  found: ReadonlyArray<Row.Found>,
  namesOf: (event: HealthEvent.AnyEvent) => Iterable<string | null | undefined>,
): ReadonlyArray<Count> => {
  const all = new Map<string, number>()
  for (const { event } of found)
    for (const name of new Set(Array.from(namesOf(event), Row.name))) all.set(name, (all.get(name) ?? 0) + 1)
  return Arr.sortWith(all, ([, events]) => -events, Order.Number)
}

export const make = (options: Query.Options) =>
  Effect.fnUntraced(function* (query: typeof parameters.Type) {
    const { failed, found, invalid } = yield* Query.read(query, Query.since(query, yield* DateTime.now), options)
    const counts = {
      status: count(found, ({ properties }) => [properties?.status]),
      type: count(found, ({ properties }) => [properties?.eventType]),
      level: count(found, (event) => [HealthEvent.knownLevel(event)]),
      service: count(found, (event) => Events.impacts(event).map(({ service }) => service)),
      region: count(found, (event) => Events.impacts(event).map(({ region }) => region)),
    }
    const unresolved = found.filter(({ event }) => !HealthEvent.isResolved(event) && !Severity.isNotice(event))
    const important = Arr.sort(found, Row.byImportance).slice(0, 5).map(Row.toBrief)
    const withNames = (length: number) => ({
      events: found.length,
      unresolvedIssues: unresolved.length,
      invalidEntries: invalid,
      counts: Record.map(counts, (all) => Object.fromEntries(all.slice(0, length))),
      namesLeftOut: Object.values(counts).reduce((sum, all) => sum + Math.max(0, all.length - length), 0),
      mostImportant: important,
      failed,
    })
    const fits = (length: number) => JSON.stringify(withNames(length)).length <= options.budget
    return withNames(lengths.find(fits) ?? 0)
  })
