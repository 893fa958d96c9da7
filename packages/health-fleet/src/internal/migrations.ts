/** The tables of a fleet. */
import * as Migrator from "effect/sql/Migrator"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { database, texts } from "./database.js"
import { EarlierRunners } from "./runner.js"

/** Times come from the clock of the database, because the clocks of machines differ. */
const createTables = Effect.gen(function* () {
  const sql = yield* database
  yield* sql`CREATE SEQUENCE vigil_epochs`
  yield* sql`CREATE TABLE vigil_runners (
    runner uuid PRIMARY KEY, name text NOT NULL, sinks text[] NOT NULL, settings text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(), seen_at timestamptz NOT NULL DEFAULT now(),
    alive_until timestamptz NOT NULL
  )`
  yield* sql`CREATE TABLE vigil_subscriptions (
    subscription text PRIMARY KEY,
    is_listed boolean NOT NULL, is_wanted boolean NOT NULL DEFAULT true, is_paused boolean NOT NULL DEFAULT false,
    epoch bigint NOT NULL DEFAULT 0, runner uuid, last_runner uuid,
    due_at timestamptz NOT NULL, wait_ms double precision NOT NULL DEFAULT 0,
    polled_at timestamptz, succeeded_at timestamptz, failures integer NOT NULL DEFAULT 0, error text,
    invalid integer NOT NULL DEFAULT 0, refused bigint NOT NULL DEFAULT 0, trace text, state text
  )`
  yield* sql`CREATE UNIQUE INDEX vigil_subscriptions_id ON vigil_subscriptions (lower(subscription))`
  yield* sql`CREATE INDEX vigil_subscriptions_due ON vigil_subscriptions (due_at) WHERE is_wanted AND NOT is_paused`
  yield* sql`CREATE TABLE vigil_events (
    event_key text PRIMARY KEY, sinks jsonb NOT NULL DEFAULT '{}', changed_at timestamptz NOT NULL DEFAULT now()
  )`
  yield* sql`CREATE TABLE vigil_tasks (task text PRIMARY KEY, due_at timestamptz NOT NULL)`
  yield* sql`CREATE TABLE vigil_open_events (
    subscription text NOT NULL REFERENCES vigil_subscriptions ON DELETE CASCADE, event_key text NOT NULL,
    PRIMARY KEY (subscription, event_key)
  )`
  yield* sql`CREATE INDEX vigil_open_events_key ON vigil_open_events (event_key)`
  yield* sql`CREATE TABLE vigil_outbox (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sink text NOT NULL, event_key text NOT NULL, position integer NOT NULL, notification text NOT NULL,
    is_on_hold boolean NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), due_at timestamptz NOT NULL,
    runner uuid, attempts integer NOT NULL DEFAULT 0, error text, trace text
  )`
  yield* sql`CREATE INDEX vigil_outbox_event ON vigil_outbox (sink, event_key, seq)`
  yield* sql`CREATE INDEX vigil_outbox_due ON vigil_outbox (sink, due_at, seq)`
  yield* sql`CREATE TABLE vigil_dead_letters (
    seq bigint PRIMARY KEY,
    sink text NOT NULL, event_key text NOT NULL, position integer NOT NULL, notification text NOT NULL,
    error text NOT NULL, at timestamptz NOT NULL DEFAULT now()
  )`
})

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

/** The number of the last migration. Each runner stores it. */
export const version = 4

/** The lock stops reports, so that no runner comes to life before the end of the migration. A runner that hangs is removed. */
const requireNoRunners = Effect.gen(function* () {
  const sql = yield* database
  yield* sql`LOCK TABLE vigil_runners IN ACCESS EXCLUSIVE MODE`
  const names = yield* texts(
    (sql) => sql`SELECT name AS text FROM vigil_runners WHERE alive_until > now() ORDER BY name`,
  )
  if (names.length > 0) return yield* new EarlierRunners({ names })
  yield* sql`DELETE FROM vigil_runners`
})

/** The columns that were beside the state. */
const moved =
  "is_listed is_wanted is_paused due_at wait_ms polled_at succeeded_at failures invalid refused error trace".split(" ")

/** Claims in a narrow table of their own, with random tokens and leases. Runners of earlier versions cannot use the tables. */
const addClaims = Effect.gen(function* () {
  const sql = yield* database
  yield* requireNoRunners
  // Earlier versions insert no version, so that their runners end at the start. They show the code of the error.
  yield* sql`CREATE FUNCTION vigil_refuse() RETURNS integer LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'The tables of this fleet are those of vigil 0.3. Update this runner.' USING ERRCODE = 'NEWER';
  END $$`
  yield* sql`
    ALTER TABLE vigil_runners
      ADD COLUMN version integer NOT NULL DEFAULT vigil_refuse(), ADD COLUMN server_started timestamptz,
      ADD COLUMN worked_at timestamptz, ADD COLUMN problem text`
  // A subscription is claimed if it has a token. Until the claim ends, it is not due.
  yield* sql`CREATE TABLE vigil_claims (
    subscription text PRIMARY KEY REFERENCES vigil_subscriptions ON DELETE CASCADE,
    is_listed boolean NOT NULL, is_wanted boolean NOT NULL DEFAULT true, is_paused boolean NOT NULL DEFAULT false,
    due_at timestamptz NOT NULL, token uuid, runner uuid, wait_ms double precision NOT NULL DEFAULT 0,
    polled_at timestamptz, succeeded_at timestamptz, failures integer NOT NULL DEFAULT 0,
    invalid integer NOT NULL DEFAULT 0, refused bigint NOT NULL DEFAULT 0, error text, trace text
  )`
  yield* sql`
    INSERT INTO vigil_claims (subscription, runner, ${sql.literal(moved.join(", "))})
    SELECT subscription, last_runner, ${sql.literal(moved.join(", "))} FROM vigil_subscriptions`
  yield* sql`CREATE INDEX vigil_claims_due ON vigil_claims (due_at) WHERE is_wanted AND NOT is_paused`
  const dropped = [...moved, "epoch", "runner", "last_runner"].map((column) => `DROP COLUMN ${column}`)
  yield* sql`ALTER TABLE vigil_subscriptions ${sql.literal(dropped.join(", "))}`
  yield* sql`DROP SEQUENCE vigil_epochs`
  yield* sql`ALTER TABLE vigil_outbox ADD COLUMN token uuid, ADD COLUMN claimed_until timestamptz`
})

/** Creates missing tables. Safe to run on several machines at once. Fails with `EarlierRunners` while runners of an earlier version are alive. */
export const migrate = Migrator.make({})({
  loader: Migrator.fromRecord({
    "1_create_tables": createTables,
    // The process ID of the session that reports for a runner.
    "2_add_sessions": Effect.flatMap(database, (sql) => sql`ALTER TABLE vigil_runners ADD COLUMN session integer`),
    "3_add_shown": addShown,
    [`${version}_add_claims`]: addClaims,
  }),
  table: "vigil_migrations",
}).pipe(
  // Of two machines that create a table at the same time, one fails.
  Effect.retry({
    times: 5,
    schedule: Schedule.spaced("200 millis"),
    while: ({ cause }) => !(cause instanceof EarlierRunners),
  }),
)
