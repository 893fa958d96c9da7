import { Singleton } from "effect/cluster"
import { SqlClient, SqlSchema } from "effect/sql"
import { Feed, HealthClient, SubscriptionId, Watch } from "@vigil/health-client"
import { Notification } from "@vigil/notify"
import { Array, Effect, Layer, Schedule, Schema, Stream } from "effect"

/** A power of two. Each bucket of subscriptions is polled by the runner that owns its singleton. */
const buckets = 32

/** Run it once, and insert the subscriptions into `watches`. */
export const createTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE watches (
      subscription text PRIMARY KEY, version integer NOT NULL DEFAULT 0, state text, due_at timestamptz NOT NULL DEFAULT now(),
      bucket integer NOT NULL GENERATED ALWAYS AS (hashtext(subscription) & ${sql.literal(`${buckets - 1}`)}) STORED
    )`
  yield* sql`CREATE INDEX ON watches (bucket, due_at)`
  yield* sql`CREATE TABLE outbox (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, notification text NOT NULL)`
})

const Row = Schema.Struct({
  subscription: SubscriptionId.SubscriptionId,
  version: Schema.Number,
  state: Schema.NullOr(Schema.String),
  // The clocks of machines differ, so times come from the database.
  now: Schema.DateTimeUtcFromDate,
})

const poll = Effect.fnUntraced(function* ({ now, state: stored, subscription, version }: typeof Row.Type) {
  const { pagesBySubscription } = yield* HealthClient.HealthClient
  const sql = yield* SqlClient.SqlClient
  const feed = Watch.feed(subscription, {
    read: (queryStartTime) => Stream.runCollect(pagesBySubscription(subscription, { queryStartTime })),
  })
  const known = yield* Feed.load(feed, stored ?? undefined, now)
  const { changes, text = stored } = yield* Feed.step(feed, known, now)
  yield* Effect.gen(function* () {
    // While a bucket moves, and after a runner hung, two runners poll it. Only the first one stores what it found.
    const updated = yield* sql`
      UPDATE watches SET state = ${text}, version = version + 1, due_at = now() + interval '1 minute'
      WHERE subscription = ${subscription} AND version = ${version} RETURNING version`
    if (updated.length === 0) return yield* Effect.logInfo(`Another runner has polled ${subscription}.`)
    for (const change of changes) {
      const notification = Notification.fromChange(change, { subscription })
      yield* sql`INSERT INTO outbox (notification) VALUES (${JSON.stringify(notification)})`
    }
  }).pipe(sql.withTransaction)
})

const pollDue = Effect.fnUntraced(function* (bucket: number) {
  const sql = yield* SqlClient.SqlClient
  const due = SqlSchema.findAll({
    Request: Schema.Number,
    Result: Row,
    execute: (bucket) => sql`
      SELECT subscription, version, state, now() FROM watches
      WHERE bucket = ${bucket} AND due_at <= now() ORDER BY due_at LIMIT 100`,
  })
  const each = (row: typeof Row.Type) =>
    Effect.catch(poll(row), (error) => Effect.logWarning(`The poll of ${row.subscription} failed.`, error))
  yield* Effect.forEach(yield* due(bucket), each, { concurrency: 4, discard: true })
})

const watch = (bucket: number) =>
  Singleton.make(
    `watches-${bucket}`,
    pollDue(bucket).pipe(
      Effect.catch((error) => Effect.logWarning("The database failed.", error)),
      Effect.repeat(Schedule.spaced("5 seconds")),
      Effect.asVoid,
    ),
  )

/** Needs `Sharding`, the health client and the database of your cluster. */
export const Watches = Layer.mergeAll(...Array.makeBy(buckets, watch))
