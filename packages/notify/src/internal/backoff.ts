/** How long a delivery waits before it sends a failed notification again. */
import type { RequestError } from "@vigil/core-http/RequestError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"

const firstDelay = 1_000
const maxDelay = 5 * 60_000
const maxRetryAfter = 60 * 60_000

/** The wait before the next attempt, in milliseconds: doubles up to 5 minutes, less a random part of a half. */
export const delay = (failures: number, error: RequestError | undefined) =>
  Effect.map(Random.next, (random) => {
    const retryAfter = error !== undefined && "retryAfter" in error ? error.retryAfter : Option.none()
    const requested = Option.match(retryAfter, { onNone: () => 0, onSome: (wait) => Duration.toMillis(wait) })
    const backoff = Math.min(firstDelay * 2 ** (failures - 1), maxDelay) * (1 - random / 2)
    return Math.floor(Math.max(Math.min(requested, maxRetryAfter), backoff))
  })
