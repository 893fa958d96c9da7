import { describe, expect, it } from "@effect/vitest"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Fleet, RateLimit } from "@vigil/health-fleet"
import * as SqlClient from "effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { database, sqlLayer } from "./ground.js"

/** Sends a request of a new fleet with these runners, whose leases end after these times. Records when requests are sent. */
const start = (options: RateLimit.Options, ...leases: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(sqlLayer(yield* database))
    yield* Effect.provide(Fleet.migrateDatabase, context)
    const sql = Context.get(context, SqlClient.SqlClient)
    for (const lease of leases)
      yield* sql`
        INSERT INTO vigil_runners (runner, name, sinks, settings, alive_until)
        VALUES (gen_random_uuid(), 'runner', '{}', '{}', now() + ${lease}::interval)`
    const times: Array<number> = []
    const service = HttpClient.make((request) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        times.push(now)
        return HttpClientResponse.fromWeb(request, new Response())
      }),
    )
    const limited = RateLimit.layer(options).pipe(
      Layer.provide(Layer.succeed(HttpClient.HttpClient, service)),
      Layer.provide(Layer.succeedContext(context)),
    )
    const client = Context.get(yield* Layer.build(limited), HttpClient.HttpClient)
    return { times, send: client.execute(HttpClientRequest.get("https://service.example")) }
  })

describe("the rate limit of a fleet", () => {
  it.effect("is divided by the number of runners that are alive", () =>
    Effect.gen(function* () {
      const { send, times } = yield* start({ requests: 10, per: "1 second" }, "1 minute", "1 hour", "-1 second")
      const sending = yield* Effect.forkChild(Effect.all([send, send, send, send], { concurrency: "unbounded" }))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(sending)
      expect(times).toEqual([0, 200, 400, 600])
    }),
  )

  it.effect("is not blocked by requests that time out while they wait", () =>
    Effect.gen(function* () {
      const { send, times } = yield* start({ requests: 1, per: "1 second" })
      // Each of ten workers waits for at most two seconds, so most requests time out.
      const worker = Effect.forever(Effect.timeoutOption(send, "2 seconds"))
      yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 10 }, () => worker),
          { concurrency: "unbounded" },
        ),
      )
      yield* TestClock.adjust("1 minute")
      expect(times.length).toBeGreaterThan(50)
    }),
  )

  it.effect.each([{ requests: 0 }, { requests: Number.NaN }, { per: "0 seconds" as const }])(
    "fails with InvalidSetting for %o",
    (options) =>
      Effect.gen(function* () {
        const layer = RateLimit.layer({ requests: 1, per: "1 second", ...options }).pipe(
          Layer.provide(FetchHttpClient.layer),
          Layer.provide(sqlLayer(yield* database)),
        )
        expect(yield* Effect.flip(Layer.build(layer))).toMatchObject({ _tag: "InvalidSetting", setting: "rateLimit" })
      }),
  )
})
