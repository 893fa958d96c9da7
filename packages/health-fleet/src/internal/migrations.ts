/** The tables of a fleet. */
import * as Migrator from "effect/sql/Migrator"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { database } from "./database.js"

/** Times come from the clock of the database, because the clocks of machines differ. */
const createTables = Effect.gen(function* () {
  const sql = yield* database
  yield* sql`CREATE SEQUENCE vigil_epochs`
  yield* sql`
    CREATE TABLE vigil_runners (
      runner uuid PRIMARY KEY, name text NOT NULL, sinks text[] NOT NULL, settings text NOT NULL,
      started_at timestamptz NOT NULL DEFAULT now(), seen_at timestamptz NOT NULL DEFAULT now(),
      alive_until timestamptz NOT NULL
    )`
  yield* sql`
    CREATE TABLE vigil_subscriptions (
      subscription text PRIMARY KEY,
      is_listed boolean NOT NULL, is_wanted boolean NOT NULL DEFAULT true, is_paused boolean NOT NULL DEFAULT false,
      epoch bigint NOT NULL DEFAULT 0, runner uuid, last_runner uuid,
      due_at timestamptz NOT NULL, wait_ms double precision NOT NULL DEFAULT 0,
      polled_at timestamptz, succeeded_at timestamptz, failures integer NOT NULL DEFAULT 0, error text,
      invalid integer NOT NULL DEFAULT 0, refused bigint NOT NULL DEFAULT 0, trace text, state text
    )`
  yield* sql`CREATE UNIQUE INDEX vigil_subscriptions_id ON vigil_subscriptions (lower(subscription))`
  yield* sql`CREATE INDEX vigil_subscriptions_due ON vigil_subscriptions (due_at) WHERE is_wanted AND NOT is_paused`
  yield* sql`
    CREATE TABLE vigil_events (
      event_key text PRIMARY KEY, sinks jsonb NOT NULL DEFAULT '{}', changed_at timestamptz NOT NULL DEFAULT now()
    )`
  yield* sql`CREATE TABLE vigil_tasks (task text PRIMARY KEY, due_at timestamptz NOT NULL)`
  yield* sql`
    CREATE TABLE vigil_open_events (
      subscription text NOT NULL REFERENCES vigil_subscriptions ON DELETE CASCADE, event_key text NOT NULL,
      PRIMARY KEY (subscription, event_key)
    )`
  yield* sql`CREATE INDEX vigil_open_events_key ON vigil_open_events (event_key)`
  yield* sql`
    CREATE TABLE vigil_outbox (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      sink text NOT NULL, event_key text NOT NULL, position integer NOT NULL, notification text NOT NULL,
      is_on_hold boolean NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), due_at timestamptz NOT NULL,
      runner uuid, attempts integer NOT NULL DEFAULT 0, error text, trace text
    )`
  yield* sql`CREATE INDEX vigil_outbox_event ON vigil_outbox (sink, event_key, seq)`
  yield* sql`CREATE INDEX vigil_outbox_due ON vigil_outbox (sink, due_at, seq)`
  yield* sql`
    CREATE TABLE vigil_dead_letters (
      seq bigint PRIMARY KEY,
      sink text NOT NULL, event_key text NOT NULL, position integer NOT NULL, notification text NOT NULL,
      error text NOT NULL, at timestamptz NOT NULL DEFAULT now()
    )`
})

/** The process ID of the session that reports for a runner. */
const addSessions = Effect.flatMap(database, (sql) => sql`ALTER TABLE vigil_runners ADD COLUMN session integer`)

/** What a sink shows before a notification in the outbox, and after all of them. It may have missed a dead letter. */
const addShown = Effect.gen(function* () {
  const sql = yield* database
  yield* sql`ALTER TABLE vigil_outbox DROP COLUMN is_on_hold, ADD COLUMN shown text`
  yield* sql`
    UPDATE vigil_outbox SET shown = CASE substring(notification from '"state":"([a-z]+)"')
      WHEN 'opened' THEN 'unknown' WHEN 'reopened' THEN 'closed' ELSE 'open'
    END`
  yield* sql`ALTER TABLE vigil_outbox ALTER COLUMN shown SET NOT NULL`
  yield* sql`
    UPDATE vigil_events SET sinks = (
      SELECT jsonb_object_agg(sink, jsonb_build_object(
        'count', last->'count',
        'shown', CASE WHEN EXISTS (
          SELECT FROM vigil_dead_letters AS letter
          WHERE letter.event_key = vigil_events.event_key AND letter.sink = each.sink AND position = (last->'count')::integer
        ) THEN 'unsure' WHEN (last->'isOpen')::boolean THEN 'open' ELSE 'closed' END,
        'last', last - 'count' - 'isOpen' || jsonb_build_object('isOver', NOT (last->'isOpen')::boolean)
      )) FROM jsonb_each(sinks) AS each (sink, last)
    ) WHERE sinks <> '{}'`
})

/** Creates missing tables. Safe to run on several machines at once. */
export const migrate = Migrator.make({})({
  loader: Migrator.fromRecord({
    "1_create_tables": createTables,
    "2_add_sessions": addSessions,
    "3_add_shown": addShown,
  }),
  table: "vigil_migrations",
}).pipe(
  // Of two machines that create a table at the same time, one fails.
  Effect.retry({ times: 5, schedule: Schedule.spaced("200 millis") }),
)
