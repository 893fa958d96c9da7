/** `compare_since`: what changed since a time, or since an earlier call. */
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Limits from "@vigil/health-schema/Limits"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Answer from "./Answer.js"
import * as Query from "./Query.js"
import * as Row from "./Row.js"
import { fail } from "./Scope.js"
import * as Time from "./Time.js"
import * as quote from "./quote.js"

const name = "compare_since"

/** How far back an update may be published late, in milliseconds. */
const overlap = Duration.toMillis("1 day")

/** More make the overlap shorter. */
const maxSeen = 40

/** What a cursor carries. Times are in milliseconds since 1970. */
interface State {
  /** Changes are relative to this time. */
  readonly since: number
  /** Updates from here on are changes, unless they were `seen`. */
  readonly horizon: number
  /** Fingerprints of updates, each of 7 characters. */
  readonly seen: ReadonlyArray<string>
}

const encode = (call: string, { horizon, seen, since }: State): string =>
  [call, ...[since, horizon].map((time) => Math.max(0, time).toString(36).padStart(9, "0")), ...seen].join("")

const decode = (cursor: string) => {
  const [, call, since = "", horizon = "", seen = ""] =
    /^([\da-z]{7})([\da-z]{9})([\da-z]{9})((?:[\da-z]{7})*)$/.exec(cursor) ?? []
  return { call, since: parseInt(since, 36), horizon: parseInt(horizon, 36), seen: seen.match(/.{7}/g) ?? [] }
}

const kindOf = (event: HealthEvent.AnyEvent, since: number, now: number): "started" | "resolved" | "updated" => {
  const { impactMitigationTime, impactStartTime } = event.properties ?? {}
  const [start, end] = [Time.millis(impactStartTime), Time.millis(impactMitigationTime)]
  if (HealthEvent.isResolved(event)) return end < since ? "updated" : "resolved"
  return start >= since && start <= now ? "started" : "updated"
}

export const compareSince = Answer.define({
  name,
  title: "What changed?",
  description:
    "Returns how many events started, were resolved or were updated otherwise in the period, and lists them, oldest update first. The cursor of the last answer continues, now or later.",
  parameters: {
    ...Struct.omit(Query.fields, ["days"]),
    since: Schema.optionalKey(
      Schema.String.check(Schema.isMaxLength(200)).pipe(
        Schema.annotate({ description: "ISO 8601, or a duration before now such as 7d. Default: 24h" }),
      ),
    ),
  },
  head: {
    total: Schema.optionalKey(Schema.Finite),
    started: Schema.optionalKey(Schema.Finite),
    resolved: Schema.optionalKey(Schema.Finite),
    updated: Schema.optionalKey(Schema.Finite),
    comparedWith: Schema.Literals(["since", "cursor"]),
  },
  entry: Schema.Struct({ change: Schema.String, ...Row.fields }),
  resumes: true,
  read: Effect.fnUntraced(function* (call, given) {
    const { cursor, since, ...query } = given
    const identity = Answer.fingerprint(name, query)
    const known = cursor ? decode(cursor) : undefined
    if (known !== undefined && since !== undefined) return yield* fail("Pass either since or cursor.")
    if (known !== undefined && known.call !== identity) return yield* Answer.invalidCursor
    const start = yield* DateTime.now
    const first = DateTime.toEpochMillis((yield* Query.timeOf("since", since ?? "24h", start, "before")) ?? start)
    if (first > DateTime.toEpochMillis(start)) return yield* fail("since is in the future.")
    const state: State = known ?? { since: first, horizon: first, seen: [] }
    const days = (DateTime.toEpochMillis(start) - state.horizon) / Duration.toMillis("1 day")
    const { found, head, now, outcomes } = yield* Query.read(call, {
      ...query,
      days: Math.max(days, Limits.activeDaysBack),
    })
    const asOf = DateTime.toEpochMillis(now)

    const updates = found
      .map((one) => ({ one, at: Time.millis(one.event.properties?.lastUpdateTime) }))
      .filter(({ at }) => at >= state.horizon)
      .map(({ at, one }) => ({ one, at, id: quote.hash(`${HealthEvent.eventKey(one.event)} ${at}`).slice(-7) }))
      .toSorted((a, b) => a.at - b.at)
    const isSeen = new Set(state.seen)
    const changes = updates
      .filter(({ id }) => !isSeen.has(id))
      .map((one) => ({ ...one, change: kindOf(one.one.event, state.since, asOf) }))

    const next = (shown: number): string => {
      const left = changes.slice(shown)
      const pending = new Set(left.map(({ id }) => id))
      const seen = updates.filter(({ id }) => !pending.has(id))
      const kept = seen.slice(-maxSeen)
      // A list that failed may have had changes since the last time.
      const isPartial = outcomes.some(({ problem }) => problem !== undefined)
      const earliest = Math.min(isPartial ? state.horizon : asOf - overlap, left[0]?.at ?? asOf)
      const oldest = kept.length < seen.length ? (kept[0]?.at ?? 0) : 0
      const horizon = Math.max(state.horizon, earliest, oldest)
      return encode(identity, {
        since: left.length > 0 || isPartial ? state.since : asOf,
        horizon,
        seen: kept.filter(({ at }) => at >= horizon).map(({ id }) => id),
      })
    }
    const counts = { started: 0, resolved: 0, updated: 0 }
    for (const { change } of changes) counts[change] += 1
    return {
      head: {
        ...head,
        period: { ...head.period, from: Time.utc(DateTime.makeUnsafe(state.since)) },
        ...(head.status === "unknown" ? {} : { total: changes.length, ...counts }),
        comparedWith: known === undefined ? ("since" as const) : ("cursor" as const),
      },
      entries: changes.map(({ change, one }) => ({ change, ...Row.make(one, call.scope) })),
      next,
    }
  }),
})
