/** The rate limit of a fleet, of which each of `n` runners that are alive gets `1/n`. */
import type { Settings } from "@vigil/core-http/ServiceClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Semaphore from "effect/Semaphore"
import { monotonic } from "./runner.js"

export interface Pace {
  /** Runs an effect when the next request may be sent. `requestsOf`: how many requests its result stands for. Default: one. */
  readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>, requestsOf?: (value: A) => number) => Effect.Effect<A, E, R>
  /** How many requests may be sent at once. */
  readonly burst: () => number
}

/** A burst is no longer than this time, and no larger than a share of the limit. */
const maxBurst = { milliseconds: 50, share: 0.01 }

/** Spaces the requests evenly, or bursts of them. An effect without a request, or that ends early, takes no time from the next one. */
export const pace = (limit: Settings["rateLimit"], runners: () => number): Pace => {
  if (limit === undefined) return { run: identity, burst: () => Infinity }
  const spacing = Duration.toMillis(limit.per) / limit.requests
  const queue = Semaphore.makeUnsafe(1)
  let next = 0
  return {
    burst: () => {
      const largest = Math.min(maxBurst.milliseconds / spacing, maxBurst.share * limit.requests)
      return Math.max(1, Math.floor(largest / runners()))
    },
    run: (effect, requestsOf = () => 1) =>
      Effect.gen(function* () {
        const wait = next - (yield* monotonic)
        if (wait > 0) yield* Effect.sleep(Math.ceil(wait))
        const value = yield* effect
        const requests = requestsOf(value)
        if (requests > 0) next = Math.max(next, yield* monotonic) + spacing * runners() * requests
        return value
      }).pipe(queue.withPermits(1)),
  }
}
