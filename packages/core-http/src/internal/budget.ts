/** The retry budget of a client: a token bucket that answers fill and retries empty. */
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"

/** What an answer gives back of a retry. */
const refund = 0.1

/** `take` is whether there is a retry left, which is then taken; `answered` gives a part of one back. */
export interface Budget {
  readonly take: Effect.Effect<boolean>
  readonly answered: Effect.Effect<void>
}

/** A full budget of so many retries. */
export const make = (capacity: number): Effect.Effect<Budget> =>
  Effect.map(Ref.make(capacity), (left) => ({
    take: Ref.modify(left, (tokens) => (tokens >= 1 ? [true, tokens - 1] : [false, tokens])),
    answered: Ref.update(left, (tokens) => Math.min(capacity, tokens + refund)),
  }))
