/** Runs effects on the test clock, which moves only when every fiber waits, and interrupts them at any step. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Scheduler from "effect/Scheduler"
import * as TestClock from "effect/testing/TestClock"

/** Lets all fibers run until they wait. */
export const settle: Effect.Effect<void> = Effect.promise(async () => {
  // oxlint-disable-next-line no-await-in-loop -- Each turn of the event loop completes the work that the previous turn started.
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve))
})

/** The clock of the test, and the times at which fibers that sleep on it wake. */
const observed = (clock: Clock.Clock) => {
  const wakes: Array<number> = []
  const watched: Clock.Clock = Object.assign<Clock.Clock, Pick<Clock.Clock, "sleep">>(Object.create(clock), {
    sleep: (duration) => {
      wakes.push(clock.currentTimeMillisUnsafe() + Duration.toMillis(duration))
      return clock.sleep(duration)
    },
  })
  return { watched, wakes }
}

/** Runs an effect and moves the clock from one sleep to the next. Returns the exit and the time. Dies if nothing can wake the effect. */
export const drive = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<{ readonly exit: Exit.Exit<A, E>; readonly at: number }, never, R> =>
  Effect.gen(function* () {
    const { wakes, watched } = observed(yield* Clock.Clock)
    const fiber = yield* Effect.forkChild(Effect.provideService(effect, Clock.Clock, watched))
    for (;;) {
      yield* settle
      const exit = fiber.pollUnsafe()
      const now = yield* Clock.currentTimeMillis
      if (exit !== undefined) return { exit, at: now }
      const next = Math.min(...wakes.filter((at) => at > now))
      if (next === Infinity) {
        fiber.interruptUnsafe()
        return yield* Effect.die("The effect hangs: nothing can wake it.")
      }
      yield* TestClock.setTime(next)
    }
  })

/** Interrupts the fiber of an effect after the given number of steps. */
export const interruptedAt = <A, E>(step: number, effect: Effect.Effect<A, E>) =>
  Effect.withFiber<A, E>((target) => {
    const inner = new Scheduler.MixedScheduler()
    let steps = 0
    const scheduler: Scheduler.Scheduler = {
      executionMode: inner.executionMode,
      makeDispatcher: () => inner.makeDispatcher(),
      shouldYield: (fiber) => {
        if (fiber !== target || ++steps !== step) return false
        fiber.interruptUnsafe()
        return true
      },
    }
    return Effect.provideService(effect, Scheduler.Scheduler, scheduler)
  })
