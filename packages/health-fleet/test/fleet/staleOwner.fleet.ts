/** A runner whose poll takes longer than its lease. */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as SqlClient from "effect/sql/SqlClient"
import { expect, it } from "@effect/vitest"
import { Status } from "@vigil/health-fleet"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { eventually, ground, recorder, sqlLayer } from "./ground.js"

/** Sets `alive_until` of the runner `silent` to a minute ago, so that other runners take over its claims. */
const silence = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION silence() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.alive_until := now() - interval '1 minute'; RETURN NEW; END $$`
  yield* sql`
    CREATE TRIGGER silence BEFORE INSERT OR UPDATE ON vigil_runners
    FOR EACH ROW WHEN (NEW.name = 'silent') EXECUTE FUNCTION silence()`
})

it.live("a runner that lost its claim cannot store the outcome of its poll", () =>
  Effect.gen(function* () {
    const { put: putEvent, run, start, subscriptions, url, withDatabase } = yield* ground()
    const { received, sink } = recorder()
    const put = (title: string, minutesAgo: number) => putEvent("E", subscriptions.slice(0, 1), { title, minutesAgo })
    yield* put("Old", 2)
    yield* withDatabase(silence)

    const response = yield* Deferred.make<void>()
    const release = yield* Deferred.make<void>()
    /** Delays the responses to the silent runner until `release`. */
    const hold = Effect.andThen(Deferred.succeed(response, undefined), Deferred.await(release))
    const slow = Layer.effect(
      HttpClient.HttpClient,
      Effect.map(HttpClient.HttpClient, HttpClient.transformResponse(Effect.tap(() => hold))),
    ).pipe(Layer.provide(FetchHttpClient.layer))
    yield* Effect.forkScoped(run({ name: "silent", sinks: [sink] }, sqlLayer(url), slow))
    yield* Deferred.await(response)
    yield* put("New", 1)
    yield* start({ sinks: [sink] })
    // Both runners may deliver the same notification, so each ID counts once.
    const titles = Effect.sync(() => [...new Map(received.map(({ id, title }) => [id, title])).values()])
    yield* eventually(titles, ({ length }) => length === 1)
    yield* Deferred.succeed(release, undefined)
    yield* eventually(withDatabase(Status.status), ({ refused }) => refused > 0)
    yield* put("Newest", 0)
    yield* eventually(titles, (all) => all.includes("Newest"))
    expect(yield* titles).toEqual(["New", "Newest"])
  }),
)
