/** `health_changes`: what changed since a time, or since an earlier call. */
import * as Events from "@vigil/health-schema/Events"
import * as Limits from "@vigil/health-schema/Limits"
import * as Priority from "@vigil/health-schema/Priority"
import * as Picture from "@vigil/health-verdict/Picture"
import * as Subject from "@vigil/health-verdict/Subject"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Answer from "./Answer.js"
import * as Changes from "./Changes.js"
import * as Cursor from "./Cursor.js"
import * as Query from "./Query.js"
import * as Row from "./Row.js"
import { fail } from "./Scope.js"
import * as Time from "./Time.js"

const name = "health_changes"

const kindOf = ({ one: { event }, since }: Changes.Change, now: number): "started" | "resolved" | "updated" => {
  const { impactMitigationTime, impactStartTime } = event.properties ?? {}
  const [start, end] = [Time.millis(impactStartTime), Time.millis(impactMitigationTime)]
  if (!Events.isActive(event)) return end < since ? "updated" : "resolved"
  return start >= since && start <= now ? "started" : "updated"
}

const newestFirst = Order.combine(
  Order.mapInput(Order.flip(Order.Number), ({ position: [time] }: Changes.Change) => time),
  Order.mapInput(Priority.byImportance, ({ one: { event } }: Changes.Change) => event),
)

/** Since when. */
export class Period extends Schema.Opaque<Period>()(
  Schema.Struct({
    ...Struct.omit(Query.Query.fields, ["days"]),
    since: Schema.optionalKey(
      Schema.String.check(Schema.isMaxLength(200)).pipe(
        Schema.annotate({ description: "ISO 8601, or a duration before now such as 7d. Default: 24h" }),
      ),
    ),
  }),
) {}

/** How many. */
export class Counts extends Schema.Opaque<Counts>()(
  Schema.Struct({
    total: Schema.optionalKey(Schema.Finite),
    started: Schema.optionalKey(Schema.Finite),
    resolved: Schema.optionalKey(Schema.Finite),
    updated: Schema.optionalKey(Schema.Finite),
    /** Changes that come when the failed subscriptions can be read: they may be delivered already. */
    waiting: Schema.optionalKey(Schema.Finite),
    comparedWith: Schema.Literals(["since", "cursor"]),
  }),
) {}

/** An event that changed. */
export class Change extends Schema.Opaque<Change>()(
  Schema.Struct({
    change: Schema.Literals(["started", "resolved", "updated"]),
    ...Row.Row.fields,
  }),
) {}

export const compareSince = Answer.define({
  name,
  title: "What changed?",
  description:
    "Lists what started, was resolved or was updated, each update once, newest first in an answer. Call again with the cursor until remaining is 0; the last cursor continues, now or days later.",
  parameters: Period,
  head: Counts,
  entry: Change,
  resumes: true,
  read: Effect.fnUntraced(function* (call, given) {
    const { cursor, since, ...query } = given
    const identity = Answer.fingerprint(name, query)
    const known = cursor ? Cursor.decode(cursor) : undefined
    if (cursor && since !== undefined) return yield* fail("Pass either since or cursor.")
    if (cursor && known?.call !== identity) return yield* Answer.invalidCursor
    const start = yield* DateTime.now
    const first = DateTime.toEpochMillis((yield* Query.timeOf("since", since ?? "24h", start, "before")) ?? start)
    if (first > DateTime.toEpochMillis(start)) return yield* fail("since is in the future.")
    const state = known?.state ?? Cursor.start(first)
    const all = [...state.behind.values()]
    const oldest = Math.min(state.position[0], ...all.map(({ position: [time] }) => time))
    const days = (DateTime.toEpochMillis(start) - oldest) / Duration.toMillis("1 day")
    const { head, now, outcomes, picture } = yield* Query.read(call, {
      ...query,
      days: Math.max(days, Limits.activeDaysBack),
    })
    const asOf = DateTime.toEpochMillis(now)
    const outside = Picture.outside(picture)
    const shared = picture.events.filter((list) => !Subject.isSubscription(list.subject) && !outside.includes(list))
    const { changes, next, waiting } = Changes.compare({
      state,
      now: asOf,
      subjects: [...outcomes.map(({ subscription }) => subscription), ...shared.map(({ subject }) => subject)],
      // A list that failed has a gap. Its changes come later.
      lists: picture.events.filter(({ problem }) => problem === undefined),
      matches: Events.matches(query),
    })
    const counts = { started: 0, resolved: 0, updated: 0 }
    const rows = changes.map((change) => {
      const kind = kindOf(change, asOf)
      counts[kind] += 1
      return { change, row: { change: kind, ...Row.make(change.one, call.scope) } }
    })
    const sorted = Arr.sortWith(rows, ({ change }) => change, newestFirst)
    const places = new Map<object, number>(sorted.map(({ row }, place) => [row, place]))
    const from = DateTime.makeUnsafe(Math.min(state.since, ...all.map(({ since }) => since)))
    return {
      head: {
        ...head,
        period: { ...head.period, from: Time.utc(from) },
        ...(head.status === "unknown" ? {} : { total: changes.length, ...counts }),
        ...(waiting > 0 ? { waiting } : {}),
        comparedWith: known === undefined ? ("since" as const) : ("cursor" as const),
      },
      entries: rows.map(({ row }) => row),
      arrange: (page) => Arr.sortWith(page, (row) => places.get(row) ?? 0, Order.Number),
      next: (shown) => Cursor.encode(identity, next(shown)),
    }
  }),
})
