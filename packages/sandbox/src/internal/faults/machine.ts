/** Time on the other side of a socket, which does not wait for a test: under a `TestClock` it passes all the same. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

const clock = Clock.make()

export const sleep = (millis: number): Effect.Effect<void> => Effect.withClock(Effect.sleep(millis), clock)
