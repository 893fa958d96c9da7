/** The rate limit of a client: who may send a request now, and who waits. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as RateLimiter from "effect/RateLimiter"
import type * as Scope from "effect/Scope"

/** An effect that ends when another request may leave. */
export const make = (
  limit: { readonly requests: number; readonly per: Duration.DurationInput } | undefined,
): Effect.Effect<Effect.Effect<void>, never, Scope.Scope> =>
  limit === undefined
    ? Effect.succeed(Effect.void)
    : Effect.map(
        RateLimiter.make({ limit: limit.requests, interval: limit.per, algorithm: "token-bucket" }),
        (limiter) => limiter(Effect.void),
      )
