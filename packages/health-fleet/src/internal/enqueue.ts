/** Puts the changes of a poll into the outbox, in the transaction that stores the state. */
import * as Notification from "@vigil/notify/Notification"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { database, rows } from "./database.js"
import * as decisions from "./decide.js"
import type { Change } from "./poll.js"

export interface Settings extends decisions.Settings {
  readonly link: Notification.Options["link"]
  readonly subscriptionName: ((subscription: string) => string | undefined) | undefined
}

interface Batch {
  readonly subscription: string
  readonly changes: ReadonlyArray<Change>
  /** Whether no poll of the subscription with this filter and API version has succeeded before. */
  readonly isFirst: boolean
  /** The time of the poll, by the clock of the database. */
  readonly now: DateTime.Utc
  readonly trace: string | null
}

/** An event in this transaction: what it did before, and what each sink will get. */
interface Event {
  sinks: decisions.History["sinks"]
  readonly onHold: Map<string, decisions.Held>
  readonly entries: Map<string, ReadonlyArray<NonNullable<decisions.Decision["next"]> & { readonly position: number }>>
}

const EventRow = Schema.Struct({ event_key: Schema.String, sinks: decisions.Sinks })

const HeldRow = Schema.Struct({
  seq: Schema.BigInt,
  sink: Schema.String,
  event_key: Schema.String,
  notification: Schema.String,
  due_at: Schema.DateTimeUtcFromDate,
})

const decodeNotification = Schema.decodeOption(Schema.fromJsonString(Notification.Notification))

/** Escapes what Postgres does not store, so that different keys stay different. */
const keyOf = ({ key }: Notification.Notification): string => JSON.stringify(key).slice(1, -1)

/** Locks the events, in the same order everywhere. Returns them, and the rows of the notifications on hold. */
const lock = Effect.fnUntraced(function* (keys: ReadonlyArray<string>) {
  const locked = yield* rows(
    EventRow,
    (sql) => sql`
      INSERT INTO vigil_events (event_key) SELECT key FROM unnest(${keys}::text[]) AS key ORDER BY key COLLATE "C"
      ON CONFLICT (event_key) DO UPDATE SET changed_at = now() RETURNING event_key, sinks`,
  )
  const held = yield* rows(
    HeldRow,
    (sql) => sql`
      SELECT seq, sink, event_key, notification, due_at FROM vigil_outbox
      WHERE event_key = ANY(${keys}::text[]) AND is_on_hold AND attempts = 0 ORDER BY seq FOR UPDATE SKIP LOCKED`,
  )
  const events = new Map<string, Event>()
  for (const { event_key, sinks } of locked) events.set(event_key, { sinks, onHold: new Map(), entries: new Map() })
  const readable = held.filter(({ due_at: until, event_key, notification, sink }) => {
    const decoded = Option.getOrUndefined(decodeNotification(notification))
    if (decoded !== undefined) events.get(event_key)?.onHold.set(sink, { notification: decoded, until })
    return decoded !== undefined
  })
  return { events, held: readable }
})

/** Records which events are open in the subscription. Returns the keys of those that others have open. */
const track = (subscription: string, notifications: ReadonlyArray<Notification.Notification>) => {
  const isOpen = new Map(notifications.map((notification) => [keyOf(notification), !Notification.isOver(notification)]))
  const keys = (open: boolean) => [...isOpen.keys()].filter((key) => isOpen.get(key) === open)
  const others = rows(
    Schema.Struct({ event_key: Schema.String }),
    (sql) => sql`
      WITH opened AS (
        INSERT INTO vigil_open_events (subscription, event_key) SELECT ${subscription}::text, unnest(${keys(true)}::text[])
        ON CONFLICT DO NOTHING
      ), closed AS (
        DELETE FROM vigil_open_events WHERE subscription = ${subscription} AND event_key = ANY(${keys(false)}::text[])
      )
      SELECT DISTINCT event_key FROM vigil_open_events JOIN vigil_subscriptions USING (subscription)
      WHERE is_wanted AND NOT is_paused AND subscription <> ${subscription} AND event_key = ANY(${keys(false)}::text[])`,
  )
  return Effect.map(others, (all) => new Set(all.map(({ event_key }) => event_key)))
}

/**
 * The notifications of an event wait at least as long as those before them, so a claim does not find them. `infinity` stands for no time:
 * the client cannot infer the type of an array of nulls.
 */
const store = Effect.fnUntraced(function* (events: ReadonlyMap<string, Event>, trace: string | null) {
  const sql = yield* database
  const all = Array.from(events, ([event_key, { entries }]) =>
    Array.from(entries, ([sink, list]) => list.map((entry) => ({ ...entry, sink, event_key }))),
  ).flat(2)
  const times = all.map(({ until }) => (until === undefined ? "infinity" : DateTime.formatIso(until)))
  yield* sql`
    WITH changed AS (
      UPDATE vigil_events SET sinks = entry.sinks::jsonb
      FROM unnest(
        ${[...events.keys()]}::text[],
        ${Array.from(events.values(), ({ sinks }) => JSON.stringify(sinks))}::text[]
      ) AS entry (event_key, sinks)
      WHERE vigil_events.event_key = entry.event_key
    )
    INSERT INTO vigil_outbox (sink, event_key, position, notification, is_on_hold, due_at, trace)
    SELECT sink, event_key, position, notification, until IS NOT NULL, greatest(coalesce(until, now()), (
      SELECT max(due_at) FROM vigil_outbox AS earlier WHERE (earlier.sink, earlier.event_key) = (entry.sink, entry.event_key)
    )), ${trace}::text
    FROM unnest(
      ${all.map(({ sink }) => sink)}::text[],
      ${all.map(({ event_key }) => event_key)}::text[],
      ${all.map(({ position }) => position)}::integer[],
      ${all.map(({ notification }) => JSON.stringify(notification))}::text[],
      array_replace(${times}::timestamptz[], 'infinity', NULL)
    ) WITH ORDINALITY AS entry (sink, event_key, position, notification, until, number)
    ORDER BY number`
})

/** Must run in a transaction. */
export const enqueue = Effect.fnUntraced(function* (
  { link, subscriptionName, ...settings }: Settings,
  { changes, isFirst, now, subscription, trace }: Batch,
) {
  const options = { subscription, subscriptionName: subscriptionName?.(subscription), link }
  const notifications = changes.map((change) => Notification.fromChange(change, options))
  // Before `track`: of two subscriptions that close an event at the same time, the second must know of the first.
  const { events, held } = yield* lock([...new Set(notifications.map(keyOf))])
  const openElsewhere = yield* track(subscription, notifications)
  for (const notification of notifications) {
    const key = keyOf(notification)
    const event = events.get(key)
    if (event === undefined || (notification.state === "withdrawn" && openElsewhere.has(key))) continue
    for (const { last, next, sink } of decisions.decide(notification, event, { ...settings, isFirst, now })) {
      event.sinks = { ...event.sinks, [sink]: last }
      // Only one notification of an event is on hold.
      const before = (event.entries.get(sink) ?? []).filter(({ until }) => until === undefined)
      event.entries.set(sink, next === undefined ? before : [...before, { ...next, position: last.count }])
      if (next?.until === undefined) event.onHold.delete(sink)
      else event.onHold.set(sink, { ...next, until: next.until })
    }
  }
  const replaced = held.filter(({ event_key, sink }) => events.get(event_key)?.entries.has(sink) === true)
  const sql = yield* database
  if (replaced.length > 0)
    yield* sql`DELETE FROM vigil_outbox WHERE seq = ANY(${replaced.map(({ seq }) => seq)}::bigint[])`
  if (Array.from(events.values()).some(({ entries }) => entries.size > 0)) yield* store(events, trace)
})
