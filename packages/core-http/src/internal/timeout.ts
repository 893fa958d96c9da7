/** Timeouts of attempts. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"

const liveClock = Context.get(DefaultServices.liveServices, Clock.Clock)

/**
 * Calls `wake` after a duration. Returns a function that cancels the call. With the live clock it needs no fiber, which saves a tenth of the CPU
 * time of a page of one event (`pnpm bench goals`).
 */
const schedule = (duration: Duration.Duration, wake: () => void): Effect.Effect<() => void> =>
  Effect.clockWith((clock) => {
    if (clock === liveClock) {
      const delay = Duration.toMillis(duration)
      // Longer timers would fire at once. Effect's clock does not set them either.
      const timer = delay < 2 ** 31 ? setTimeout(wake, delay) : undefined
      return Effect.succeed(() => clearTimeout(timer))
    }
    const sleep = Effect.zipRight(Effect.sleep(duration), Effect.sync(wake))
    return Effect.map(Effect.forkDaemon(Effect.interruptible(sleep)), (fiber) => () => {
      fiber.unsafeInterruptAsFork(fiber.id())
    })
  })

/**
 * Like `Effect.timeoutFail`, with which a page of one event takes a tenth more CPU time (`pnpm bench goals`). Discards the changes of fiber
 * refs.
 */
export const withTimeout = <A, E>(
  effect: Effect.Effect<A, E>,
  { duration, onTimeout }: { readonly duration: Duration.Duration; readonly onTimeout: () => E },
): Effect.Effect<A, E> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDaemon(restore(effect)), (fiber) => {
      let isLate = false
      const stop = () => {
        isLate = true
        fiber.unsafeInterruptAsFork(fiber.id())
      }
      return Effect.flatMap(schedule(duration, stop), (cancel) =>
        restore(Fiber.await(fiber)).pipe(
          Effect.onInterrupt(() => Effect.zipRight(Effect.sync(cancel), Fiber.interrupt(fiber))),
          Effect.flatMap((exit) => {
            cancel()
            return isLate && Exit.isInterrupted(exit) ? Effect.fail(onTimeout()) : exit
          }),
        ),
      )
    }),
  )
