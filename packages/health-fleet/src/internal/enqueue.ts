/** Puts the changes of a poll into the outbox, in the transaction that stores the state. */
import * as Decide from "@vigil/notify/Decide"
import * as Notification from "@vigil/notify/Notification"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Claim } from "./claims.js"
import { database, entries, rows, texts } from "./database.js"
import { parse } from "./outbox.js"
import type { PollResult } from "./poll.js"
import { isActive } from "./runner.js"
import * as decisions from "./sinkDecisions.js"

export interface Settings extends decisions.Settings {
  readonly link?: Notification.Options["link"]
  readonly subscriptionName?: ((subscription: string) => string | undefined) | undefined
}

interface Batch extends Pick<Claim, "now" | "subscription" | "trace">, Pick<PollResult, "changes"> {
  /** Whether no poll of the subscription with this filter and API version has succeeded before. */
  readonly isFirst: boolean
}

/** An event in this transaction, by the name of the sink. */
interface Event {
  readonly histories: Map<string, decisions.Decision["history"]>
  readonly waiting: Map<string, decisions.Waiting>
  /** The rows of the notifications that were not sent yet. */
  readonly unsent: Map<string, string>
  /** The last decisions. */
  readonly changed: Map<string, decisions.Decision>
}

const EventRow = Schema.Struct({ event_key: Schema.String, sinks: decisions.Histories })

const WaitingRow = Schema.Struct({
  seq: Schema.String,
  sink: Schema.String,
  event_key: Schema.String,
  notification: Schema.String,
  shown: Decide.Shown,
  due_at: Schema.DateTimeUtcFromDate,
})

/** Escapes what Postgres does not store, so that different keys stay different. */
const keyOf = ({ key }: Notification.Notification): string => JSON.stringify(key).slice(1, -1)

/** Locks the events, in the same order everywhere, and the notifications that were not sent yet. */
const lock = Effect.fnUntraced(function* (keys: ReadonlyArray<string>) {
  const locked = yield* rows(
    EventRow,
    (sql) => sql`
      INSERT INTO vigil_events (event_key) SELECT key FROM unnest(${keys}::text[]) AS key ORDER BY key COLLATE "C"
      ON CONFLICT (event_key) DO UPDATE SET changed_at = now() RETURNING event_key, sinks`,
  )
  const unsent = yield* rows(
    WaitingRow,
    (sql) => sql`
      SELECT seq::text, sink, event_key, notification, shown, due_at FROM vigil_outbox AS one
      WHERE event_key = ANY(${keys}::text[]) AND attempts = 0 AND NOT EXISTS (
        SELECT FROM vigil_outbox AS later
        WHERE later.sink = one.sink AND later.event_key = one.event_key AND later.seq > one.seq
      ) FOR UPDATE SKIP LOCKED`,
  )
  const events = new Map<string, Event>()
  for (const { event_key, sinks } of locked) {
    const histories = new Map(Object.entries(sinks))
    events.set(event_key, { histories, waiting: new Map(), unsent: new Map(), changed: new Map() })
  }
  for (const { due_at, event_key, notification: text, seq, shown, sink } of unsent) {
    const [event, notification] = [events.get(event_key), parse(text)]
    if (event === undefined || notification === undefined) continue
    event.waiting.set(sink, { notification, notBefore: DateTime.toEpochMillis(due_at), shown })
    event.unsent.set(sink, seq)
  }
  return events
})

/** Records which events are open in the subscription. Returns the keys of those that others have open. */
const track = (subscription: string, notifications: ReadonlyArray<Notification.Notification>) => {
  const isOpen = new Map(notifications.map((notification) => [keyOf(notification), !Notification.isOver(notification)]))
  const keys = (open: boolean) => [...isOpen.keys()].filter((key) => isOpen.get(key) === open)
  const others = texts(
    (sql) => sql`WITH opened AS (
      INSERT INTO vigil_open_events (subscription, event_key) SELECT ${subscription}::text, unnest(${keys(true)}::text[])
      ON CONFLICT DO NOTHING
    ), closed AS (
      DELETE FROM vigil_open_events WHERE subscription = ${subscription} AND event_key = ANY(${keys(false)}::text[])
    )
    SELECT DISTINCT event_key AS text FROM vigil_open_events JOIN vigil_claims USING (subscription)
    WHERE ${isActive(sql)} AND subscription <> ${subscription} AND event_key = ANY(${keys(false)}::text[])`,
  )
  return Effect.map(others, (keys) => new Set(keys))
}

const columns =
  "event_key text, sink text, position integer, notification text, shown text, not_before timestamptz, replaces bigint"

/** The notifications of an event wait at least as long as those before them, so a claim does not find them. */
const store = Effect.fnUntraced(function* (events: ReadonlyMap<string, Event>, trace: string | null) {
  const sql = yield* database
  const all = Array.from(events, ([event_key, { changed, unsent }]) =>
    Array.from(changed, ([sink, { history, waiting }]) => ({
      event_key,
      sink,
      position: history.count,
      notification: JSON.stringify(waiting.notification),
      shown: waiting.shown,
      not_before: new Date(waiting.notBefore),
      replaces: unsent.get(sink),
    })),
  ).flat()
  if (all.length === 0) return
  const known = Array.from(events, ([key, { histories }]) => ({ key, histories: Object.fromEntries(histories) }))
  yield* sql`WITH entry AS MATERIALIZED (SELECT entry.* FROM ${entries(sql, all, columns)}), changed AS (
    UPDATE vigil_events SET sinks = histories FROM ${entries(sql, known, "key text, histories jsonb")}
    WHERE event_key = key
  ), replaced AS (
    DELETE FROM vigil_outbox WHERE seq IN (SELECT replaces FROM entry) RETURNING sink, event_key, created_at
  )
  INSERT INTO vigil_outbox (sink, event_key, position, notification, shown, created_at, due_at, trace)
  SELECT sink, event_key, position, notification, shown, coalesce(replaced.created_at, now()), greatest(not_before, (
    SELECT max(due_at) FROM vigil_outbox AS earlier
    WHERE (earlier.sink, earlier.event_key) = (entry.sink, entry.event_key) AND seq IS DISTINCT FROM replaces
  )), ${trace}::text
  FROM entry LEFT JOIN replaced USING (sink, event_key)`
})

/** Must run in a transaction. */
export const enqueue = Effect.fnUntraced(function* (
  { link, subscriptionName, ...settings }: Settings,
  { changes, isFirst, now, subscription, trace }: Batch,
) {
  const options = { subscription, subscriptionName: subscriptionName?.(subscription), link }
  const notifications = changes.map((change) => Notification.fromChange(change, options))
  // Before `track`: of two subscriptions that close an event at the same time, the second must know of the first.
  const events = yield* lock([...new Set(notifications.map(keyOf))])
  const openElsewhere = yield* track(subscription, notifications)
  for (const notification of notifications) {
    const key = keyOf(notification)
    const event = events.get(key)
    if (event === undefined) continue
    const poll = { ...settings, isFirst, isOpenElsewhere: openElsewhere.has(key), now }
    for (const decision of decisions.decideForSinks(notification, event, poll)) {
      event.histories.set(decision.sink, decision.history)
      event.waiting.set(decision.sink, decision.waiting)
      event.changed.set(decision.sink, decision)
    }
  }
  yield* store(events, trace)
})
