/** The tools that read the events of subscriptions: `summarize_health` and `list_events`. */
import * as Labels from "@vigil/health-report/Labels"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Priority from "@vigil/health-schema/Priority"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import * as Answer from "./Answer.js"
import * as Query from "./Query.js"
import * as Row from "./Row.js"
import * as quote from "./quote.js"

type Names = (event: HealthEvent.AnyEvent) => ReadonlyArray<string | null | undefined>

const kinds: Readonly<Record<string, Names>> = {
  status: ({ properties }) => [properties?.status],
  type: ({ properties }) => [properties?.eventType],
  level: (event) => [HealthEvent.knownLevel(event)],
  service: Labels.services,
  region: Labels.regions,
}

/** Most events first. */
const count = (events: ReadonlyArray<HealthEvent.AnyEvent>, by: string, namesOf: Names) => {
  const counts = new Map<string, number>()
  for (const event of events)
    for (const name of new Set(namesOf(event).map(quote.name))) counts.set(name, (counts.get(name) ?? 0) + 1)
  const rows = Array.from(counts, ([name, events]) => ({ by, name, events }))
  return Arr.sortWith(rows, ({ events }) => events, Order.flip(Order.Number))
}

export const summarizeHealth = Answer.define({
  name: "summarize_health",
  description: `Answers "is anything wrong?": counts of health events, and the five that matter most.`,
  parameters: Query.fields,
  head: {
    events: Schema.Finite,
    unresolvedIssues: Schema.Finite,
    mostImportant: Schema.Array(Schema.Struct(Row.brief)),
    ...Query.unread,
  },
  entry: Schema.Struct({ by: Schema.String, name: Schema.String, events: Schema.Finite }),
  read: Effect.fnUntraced(function* (query, options) {
    const { found, ...unread } = yield* Query.read(query, options)
    const events = found.map(({ event }) => event)
    const unresolved = events.filter((event) => !HealthEvent.isResolved(event))
    return {
      head: {
        events: events.length,
        unresolvedIssues: unresolved.filter((event) => !HealthEvent.isNotice(event)).length,
        mostImportant: Arr.sort(events, Priority.byImportance).slice(0, 5).map(Row.makeBrief),
        ...unread,
      },
      entries: Object.entries(kinds).flatMap(([by, namesOf]) => count(events, by, namesOf)),
    }
  }),
})

const updated = ({ event }: { readonly event: HealthEvent.AnyEvent }) => event.properties?.lastUpdateTime

export const listEvents = Answer.define({
  name: "list_events",
  description: "Lists health events, latest update first.",
  parameters: Query.fields,
  head: { total: Schema.Finite, ...Query.unread },
  entry: Row.Row,
  read: Effect.fnUntraced(function* (query, options) {
    const { found, ...unread } = yield* Query.read(query, options)
    const entries = Arr.sortWith(found, updated, Timestamp.latestFirst).map(Row.make)
    return { head: { total: found.length, ...unread }, entries }
  }),
})
