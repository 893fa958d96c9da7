/** The retry budget of a client: a token bucket that answers fill and retries empty. */
import * as Effect from "effect/Effect"

/** How many answers make up for a retry. */
const answersOfRetry = 10

/** `take` is whether there is a retry left, which is then taken; `answered` gives a part of one back. */
export interface Budget {
  readonly take: Effect.Effect<boolean>
  readonly answered: Effect.Effect<void>
}

/** A full budget of so many retries. */
export const make = (retries: number): Budget => {
  const capacity = retries * answersOfRetry
  let left = capacity
  return {
    take: Effect.sync(() => {
      if (!(left >= answersOfRetry)) return false
      left -= answersOfRetry
      return true
    }),
    answered: Effect.sync(() => {
      left = Math.min(capacity, left + 1)
    }),
  }
}
