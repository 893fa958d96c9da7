/** Puts the changes of a poll into the outbox, in the transaction that stores the state. */
import type * as SqlClient from "effect/sql/SqlClient"
import * as Notification from "@vigil/notify/Notification"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { database } from "./database.js"
import * as decisions from "./decide.js"
import type { Change } from "./poll.js"

export interface Settings extends decisions.Settings {
  readonly link: Notification.Options["link"]
}

interface Batch {
  readonly subscription: string
  readonly changes: ReadonlyArray<Change>
  /** Whether it is the first poll of the subscription, or the first with another filter or API version. */
  readonly isFirst: boolean
  /** The span of the poll. */
  readonly trace: string | null
}

interface Row {
  readonly sink: string
  readonly event_key: string
}

interface Entry extends Row {
  /** The number of the notification for its event and sink, from 1. */
  readonly position: number
  readonly notification: Notification.Notification
  readonly until: string | null
}

const decodeSinks = Schema.decodeUnknownEffect(decisions.Sinks)

const decodeNotification = Schema.decodeOption(Schema.fromJsonString(Notification.Notification))

/** Escapes what Postgres does not store, so that different keys stay different. */
const keyOf = ({ key }: Notification.Notification): string => JSON.stringify(key).slice(1, -1)

const idOf = ({ event_key, sink }: Row): string => JSON.stringify([sink, event_key])

/** Locks the events, in the same order everywhere, and returns their histories. */
const lock = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, keys: ReadonlyArray<string>) {
  const events = yield* sql<{ event_key: string; sinks: unknown }>`
    INSERT INTO vigil_events (event_key) SELECT key FROM unnest(${keys}::text[]) AS key ORDER BY key COLLATE "C"
    ON CONFLICT (event_key) DO UPDATE SET changed_at = now() RETURNING event_key, sinks`
  const rows = yield* sql<Row & { seq: bigint; notification: string; due_at: Date }>`
    SELECT seq, sink, event_key, notification, due_at FROM vigil_outbox
    WHERE event_key = ANY(${keys}::text[]) AND is_on_hold AND attempts = 0 ORDER BY seq FOR UPDATE SKIP LOCKED`
  const onHold = rows.flatMap(({ due_at, notification, ...row }) =>
    Option.toArray(decodeNotification(notification)).map((notification) => {
      return { ...row, notification, until: DateTime.fromDateUnsafe(due_at) }
    }),
  )
  const histories = new Map<
    string,
    { sinks: decisions.Sinks; readonly onHold: Map<string, decisions.HeldNotification> }
  >()
  for (const { event_key, sinks } of events)
    histories.set(event_key, { sinks: yield* decodeSinks(sinks), onHold: new Map() })
  for (const { event_key, notification, sink, until } of onHold) {
    const known = histories.get(event_key)?.onHold
    known?.set(sink, decisions.join(known.get(sink), { notification, until }))
  }
  return { histories, onHold }
})

/** Records which events are open in the subscription. Returns the keys of those that others have open. */
const track = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  subscription: string,
  notifications: ReadonlyArray<Notification.Notification>,
) {
  const isOpen = new Map(notifications.map((notification) => [keyOf(notification), !Notification.isOver(notification)]))
  const open = [...isOpen.keys()].filter((key) => isOpen.get(key) === true)
  const closed = [...isOpen.keys()].filter((key) => isOpen.get(key) === false)
  yield* sql`
    INSERT INTO vigil_open_events (subscription, event_key) SELECT ${subscription}::text, unnest(${open}::text[])
    ON CONFLICT DO NOTHING`
  yield* sql`
    DELETE FROM vigil_open_events WHERE subscription = ${subscription} AND event_key = ANY(${closed}::text[])`
  const others = yield* sql<{ event_key: string }>`
    SELECT DISTINCT event_key FROM vigil_open_events JOIN vigil_subscriptions USING (subscription)
    WHERE is_wanted AND NOT is_paused AND event_key = ANY(${closed}::text[])`
  return new Set(others.map(({ event_key }) => event_key))
})

/**
 * The notifications of an event wait at least as long as those before them, so a claim does not find them. `infinity` stands for no time:
 * the client cannot infer the type of an array of nulls.
 */
const insert = (sql: SqlClient.SqlClient, entries: ReadonlyArray<Entry>, trace: string | null) =>
  sql`
    INSERT INTO vigil_outbox (sink, event_key, position, notification, is_on_hold, due_at, trace)
    SELECT sink, event_key, position, notification, until IS NOT NULL, greatest(coalesce(until, now()), (
      SELECT max(due_at) FROM vigil_outbox AS earlier WHERE (earlier.sink, earlier.event_key) = (entry.sink, entry.event_key)
    )), ${trace}::text
    FROM unnest(
      ${entries.map(({ sink }) => sink)}::text[],
      ${entries.map(({ event_key }) => event_key)}::text[],
      ${entries.map(({ position }) => position)}::integer[],
      ${entries.map(({ notification }) => JSON.stringify(notification))}::text[],
      array_replace(${entries.map(({ until }) => until ?? "infinity")}::timestamptz[], 'infinity', NULL)
    ) WITH ORDINALITY AS entry (sink, event_key, position, notification, until, number)
    ORDER BY number`

/** Must run in a transaction. */
export const enqueue = Effect.fnUntraced(function* (
  { link, ...settings }: Settings,
  { changes, isFirst, subscription, trace }: Batch,
) {
  const sql = yield* database
  const all = changes.map((change) => Notification.fromChange(change, { subscription, link }))
  // Before `track`: of two subscriptions that close an event at the same time, the second must know of the first.
  const { histories, onHold } = yield* lock(sql, [...new Set(all.map(keyOf))])
  const openElsewhere = yield* track(sql, subscription, all)
  const now = yield* DateTime.now

  const entries = new Map<string, Array<Entry>>()
  for (const notification of all) {
    const event_key = keyOf(notification)
    if (notification.state === "withdrawn" && openElsewhere.has(event_key)) continue
    const history = yield* Effect.orDie(Effect.fromNullishOr(histories.get(event_key)))
    for (const { last, notification: next, sink, until } of decisions.decide(notification, history, {
      ...settings,
      isFirst,
      now,
    })) {
      history.sinks = { ...history.sinks, [sink]: last }
      if (next !== undefined && until !== undefined) history.onHold.set(sink, { notification: next, until })
      else history.onHold.delete(sink)
      const row = { sink, event_key }
      const id = idOf(row)
      // Only one notification of an event is on hold.
      const before = (entries.get(id) ?? []).filter(({ until }) => until === null)
      const after = next && {
        ...row,
        position: last.count,
        notification: next,
        until: until === undefined ? null : DateTime.formatIso(until),
      }
      entries.set(id, after === undefined ? before : [...before, after])
    }
  }
  if (entries.size === 0) return
  const replaced = onHold.filter((row) => entries.has(idOf(row))).map(({ seq }) => seq)
  yield* sql`DELETE FROM vigil_outbox WHERE seq = ANY(${replaced}::bigint[])`
  yield* insert(sql, Array.from(entries.values()).flat(), trace)
  yield* sql`
    UPDATE vigil_events SET sinks = entry.sinks::jsonb
    FROM unnest(
      ${Array.from(histories.keys())}::text[],
      ${Array.from(histories.values(), ({ sinks }) => JSON.stringify(sinks))}::text[]
    ) AS entry (event_key, sinks)
    WHERE vigil_events.event_key = entry.event_key`
})
