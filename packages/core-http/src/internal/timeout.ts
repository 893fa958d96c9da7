/** Timeouts of attempts. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"

/**
 * Like `Effect.timeoutFail`, but ignores changes of fiber refs in the effect. To merge them takes a tenth of the time of a request
 * (`pnpm bench race`).
 */
export const timeoutFail = <A, E>(
  effect: Effect.Effect<A, E>,
  { duration, onTimeout }: { readonly duration: Duration.Duration; readonly onTimeout: () => E },
): Effect.Effect<A, E> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDaemon(restore(effect)), (fiber) => {
      let isLate = false
      const stop = Effect.zipRight(
        Effect.sleep(duration),
        Effect.sync(() => {
          isLate = true
          fiber.unsafeInterruptAsFork(fiber.id())
        }),
      )
      return Effect.flatMap(Effect.forkDaemon(Effect.interruptible(stop)), (timer) =>
        restore(Fiber.await(fiber)).pipe(
          Effect.onInterrupt(() => Fiber.interrupt(fiber)),
          Effect.ensuring(Effect.sync(() => timer.unsafeInterruptAsFork(timer.id()))),
          Effect.flatMap((exit) => (isLate && Exit.isInterrupted(exit) ? Effect.fail(onTimeout()) : exit)),
        ),
      )
    }),
  )
