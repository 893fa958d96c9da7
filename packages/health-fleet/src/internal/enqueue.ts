/** Puts the changes of a poll into the outbox, in the transaction that stores the state. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { Change } from "@vigil/health-client/Watch"
import * as Notification from "@vigil/notify/Notification"
import type * as Routes from "@vigil/notify/Routes"
import type { Sink } from "@vigil/notify/Sink"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { decide, type Entry, isOpening, lastOf, Sinks } from "./decide.js"

export interface Settings {
  readonly sinks: ReadonlyArray<Sink>
  readonly routes: Routes.Routes | undefined
  readonly link: Notification.Options["link"]
}

interface Batch {
  readonly subscription: string
  readonly changes: ReadonlyArray<Change>
  /** The span of the poll. */
  readonly trace: string | null
}

/** A statement has at most 65,535 parameters. */
const maxRows = 5_000

const decodeSinks = Schema.decodeUnknown(Sinks)

/** Postgres does not parse JSON with null characters. */
const decodeHeld = Schema.decode(Schema.parseJson(Schema.Struct({ state: Notification.State })))

/** The key as Postgres can store it: it accepts no null characters, and replaces unpaired surrogates. */
const keyOf = ({ key }: Notification.Notification): string => JSON.stringify(key).slice(1, -1)

/** Locks the events, in the same order everywhere, and returns their history. */
const lock = (sql: SqlClient.SqlClient, keys: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    yield* sql`INSERT INTO vigil_events ${sql.insert(keys.map((event_key) => ({ event_key })))} ON CONFLICT DO NOTHING`
    const events = yield* sql<{ event_key: string; sinks: unknown }>`
      SELECT event_key, sinks FROM vigil_events WHERE ${sql.in("event_key", keys)} ORDER BY event_key FOR UPDATE`
    const held = yield* sql<{ seq: string; sink: string; event_key: string; notification: string }>`
      SELECT seq, sink, event_key, notification FROM vigil_outbox
      WHERE ${sql.in("event_key", keys)} AND attempts = 0 AND due_at > now() FOR UPDATE SKIP LOCKED`
    const histories = new Map<string, { sinks: Sinks; held: Map<string, Array<Notification.State>> }>()
    for (const { event_key, sinks } of events)
      histories.set(event_key, { sinks: yield* decodeSinks(sinks), held: new Map<string, Array<Notification.State>>() })
    for (const { event_key, notification, sink } of held) {
      const states = histories.get(event_key)?.held
      const { state } = yield* decodeHeld(notification)
      states?.set(sink, [...(states.get(sink) ?? []), state])
    }
    return { histories, held }
  })

/** Records which events are open in the subscription. Returns the keys of those that others have open. */
const track = (
  sql: SqlClient.SqlClient,
  subscription: string,
  notifications: ReadonlyArray<Notification.Notification>,
) =>
  Effect.gen(function* () {
    const isOpen = new Map(notifications.map((notification) => [keyOf(notification), isOpening(notification)]))
    const keys = Arr.partition(Array.from(isOpen.keys()).toSorted(), (key) => isOpen.get(key) === true)
    const [closed, open] = keys
    if (open.length > 0)
      yield* sql`
        INSERT INTO vigil_open_events ${sql.insert(open.map((event_key) => ({ subscription, event_key })))}
        ON CONFLICT DO NOTHING`
    if (closed.length === 0) return new Set<string>()
    yield* sql`
      DELETE FROM vigil_open_events WHERE subscription = ${subscription} AND ${sql.in("event_key", closed)}`
    const others = yield* sql<{ event_key: string }>`
      SELECT DISTINCT event_key FROM vigil_open_events JOIN vigil_subscriptions USING (subscription)
      WHERE is_wanted AND ${sql.in("event_key", closed)}`
    return new Set(others.map(({ event_key }) => event_key))
  })

/** Must run in a transaction. */
export const enqueue = ({ link, routes, sinks: targets }: Settings, { changes, subscription, trace }: Batch) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const all = changes.map((change) => ({
      notification: Notification.fromChange(change, { subscription, link }),
      isFirst: change._tag === "Appeared",
    }))
    const notifications = all.map(({ notification }) => notification)
    if (targets.length === 0) {
      yield* track(sql, subscription, notifications)
      return
    }
    const keys = [...new Set(notifications.map(keyOf))].toSorted()
    // Before `track`: of two subscriptions that close an event at the same time, the second must know of the first.
    const { held, histories } = yield* lock(sql, keys)
    const openElsewhere = yield* track(sql, subscription, notifications)
    const news = all.filter(
      ({ notification }) => notification.state !== "withdrawn" || !openElsewhere.has(keyOf(notification)),
    )
    const now = yield* DateTime.now

    const entries = new Map<string, Array<Entry>>()
    for (const { isFirst, notification } of news) {
      const history = histories.get(keyOf(notification))
      if (history === undefined) continue
      for (const entry of decide(notification, history, { now, routes, targets })) {
        // A first poll lists many events that are over.
        if (isFirst && notification.state === "resolved" && history.sinks[entry.sink]?.isOpen !== true) continue
        history.sinks = { ...history.sinks, [entry.sink]: lastOf(notification, history.sinks[entry.sink]) }
        history.held.delete(entry.sink)
        const id = JSON.stringify([entry.sink, keyOf(notification)])
        // Only one notification of an event is held back.
        const before = (entries.get(id) ?? []).filter(({ until }) => until === undefined)
        entries.set(id, [...before, entry])
      }
    }
    const replaced = held.filter(({ event_key, sink }) => entries.has(JSON.stringify([sink, event_key])))
    if (replaced.length > 0)
      yield* sql`DELETE FROM vigil_outbox WHERE ${sql.in(
        "seq",
        replaced.map(({ seq }) => seq),
      )}`
    const rows = Array.from(entries.values())
      .flat()
      .map(({ notification, sink, until = now }) => ({
        sink,
        event_key: keyOf(notification),
        notification: JSON.stringify(notification),
        due_at: DateTime.formatIso(until),
        trace,
      }))
    const changed = [...new Set(rows.map(({ event_key }) => event_key))].map((event_key) => ({
      event_key,
      sinks: JSON.stringify(histories.get(event_key)?.sinks ?? {}),
    }))
    for (const some of Arr.chunksOf(rows, maxRows)) yield* sql`INSERT INTO vigil_outbox ${sql.insert(some)}`
    for (const some of Arr.chunksOf(changed, maxRows))
      yield* sql`
        INSERT INTO vigil_events ${sql.insert(some)}
        ON CONFLICT (event_key) DO UPDATE SET sinks = excluded.sinks, changed_at = now()`
  })
