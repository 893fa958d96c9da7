/** `summarize_health`: counts, and the events that matter most. */
import * as Severity from "@vigil/health-report/Severity"
import * as Events from "@vigil/health-schema/Events"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
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

/** A table of names in the answer has this many of them. */
const maxNames = 12

const count = (found: ReadonlyArray<Row.Found>, namesOf: (event: HealthEvent.AnyEvent) => Iterable<string>) => {
  const all = new Map<string, number>()
  for (const { event } of found)
    for (const name of new Set(Array.from(namesOf(event), Row.name))) all.set(name, (all.get(name) ?? 0) + 1)
  return Arr.sortWith(all, ([, events]) => -events, Order.Number)
}

export const handle = Effect.fnUntraced(function* (query: typeof parameters.Type, options: Query.Options) {
  const { failed, found, invalid } = yield* Query.read(query, Query.since(query, yield* DateTime.now), options)
  const services = count(found, (event) => Events.impacts(event).map(({ service }) => service))
  const regions = count(found, (event) => Events.impacts(event).map(({ region }) => region))
  const left = (all: ReadonlyArray<unknown>) => Math.max(0, all.length - maxNames)
  const counts = (all: ReadonlyArray<readonly [string, number]>) => Object.fromEntries(all.slice(0, maxNames))
  return {
    events: found.length,
    unresolvedIssues: found.filter(({ event }) => !HealthEvent.isResolved(event) && !Severity.isNotice(event)).length,
    invalidEntries: invalid,
    counts: {
      status: counts(count(found, ({ properties }) => [properties?.status ?? ""])),
      type: counts(count(found, ({ properties }) => [properties?.eventType ?? ""])),
      level: counts(count(found, (event) => [HealthEvent.knownLevel(event) ?? ""])),
      service: counts(services),
      region: counts(regions),
    },
    namesLeftOut: left(services) + left(regions),
    mostImportant: Arr.sort(found, Row.byImportance).slice(0, 5).map(Row.toBrief),
    failed,
  }
})
