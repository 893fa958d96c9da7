/** One rate limit for all runners of a fleet. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"

/** The limit of a credential, over all runners. @category models @since 0.1.0 */
export interface Options {
  /** At most this many requests in `per`. */
  readonly requests: number
  readonly per: Duration.DurationInput
}

/**
 * Spaces the requests of this process evenly, at its share of the limit: one of the number of runners that are alive. The number is read
 * every second. For a moment after a runner has joined, the fleet may exceed the limit by that runner's share.
 *
 * The wait is part of a request's timeout: `concurrency` of `Fleet.run` should not exceed the number of requests that the share allows within
 * it.
 * @category layers @since 0.1.0
 */
export const layer = (
  options: Options,
): Layer.Layer<HttpClient.HttpClient, never, HttpClient.HttpClient | SqlClient.SqlClient> =>
  Layer.scoped(
    HttpClient.HttpClient,
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const sql = yield* SqlClient.SqlClient
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
      const recount = Effect.ignore(count)
      yield* recount
      yield* Effect.forkScoped(Effect.schedule(recount, Schedule.spaced("1 second")))
      const pace = Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const start = Math.max(now, next)
        next = start + spacing * runners
        return start > now ? Effect.sleep(start - now) : Effect.void
      })
      return HttpClient.transform(client, (send) => Effect.zipRight(pace, send))
    }),
  )
