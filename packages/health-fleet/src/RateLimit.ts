/** One rate limit for all runners of a fleet. */
import * as Semaphore from "effect/Semaphore"
import * as HttpClient from "effect/http/HttpClient"
import type * as SqlClient from "effect/sql/SqlClient"
import { InvalidSetting } from "@vigil/core-http/SettingsError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { database } from "./internal/database.js"

/** The limit of a credential, over all runners. @category models @since 0.1.0 */
export interface Options {
  /** At most this many requests in `per`. */
  readonly requests: number
  readonly per: Duration.Input
}

/**
 * Spaces the requests of this process evenly. Each of `n` runners that are alive gets `1/n` of the limit; `n` is read every second. For a moment after a runner has joined, the fleet may exceed the limit by that runner's share.
 *
 * Fails with `InvalidSetting` if an option is not greater than 0. The wait is part of a request's timeout: `concurrency` of `Fleet.run` should
 * not exceed the number of requests that the share allows within it.
 * @category layers @since 0.1.0
 */
export const layer = (
  options: Options,
): Layer.Layer<HttpClient.HttpClient, InvalidSetting, HttpClient.HttpClient | SqlClient.SqlClient> =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.gen(function* () {
      if (!(options.requests > 0 && Duration.toMillis(options.per) > 0))
        return yield* new InvalidSetting({
          setting: "rateLimit",
          expected: "more than 0 requests in a time greater than 0",
        })
      const client = yield* HttpClient.HttpClient
      const sql = yield* database
      const spacing = Duration.toMillis(options.per) / options.requests
      let runners = 1
      let next = 0
      const count = Effect.map(
        sql<{ runners: number }>`
          SELECT count(*)::integer AS runners FROM vigil_runners WHERE alive_until > now()`,
        ([row]) => {
          runners = Math.max(1, row?.runners ?? 1)
        },
      )
      // Until the database works again, the last number is the best guess.
      const recount = Effect.withTracerEnabled(Effect.ignore(count), false)
      yield* recount
      yield* Effect.forkScoped(Effect.schedule(recount, Schedule.spaced("1 second")))
      // Only the first waiting request waits for its time, so that a cancelled one takes none.
      const semaphore = Semaphore.makeUnsafe(1)
      const pace = semaphore.withPermits(1)(
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          if (next > now) yield* Effect.sleep(Math.ceil(next - now))
          next = Math.max(now, next) + spacing * runners
        }),
      )
      return HttpClient.transform(client, (send) => Effect.andThen(pace, send))
    }),
  )
