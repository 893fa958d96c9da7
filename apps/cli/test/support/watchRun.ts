/** Runs a command that watches in the test process, line by line. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Semaphore from "effect/Semaphore"
import * as TestClock from "effect/testing/TestClock"
import * as Cli from "../../src/Cli.js"
import { Output } from "../../src/output/Output.js"
import { emptyInput } from "./run.js"

/** Starts a command. The write of lines blocks until the test takes one. */
export const start = (args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const lines = yield* Queue.unbounded<string>()
    const notes = yield* Queue.unbounded<string>()
    const waits = yield* Queue.unbounded<string>()
    const writes = yield* Semaphore.make(1)
    yield* writes.take(1)
    const fiber = yield* Cli.run(args).pipe(
      Effect.provideService(Output, {
        data: (all) =>
          all.length === 0 ? Effect.void : Effect.andThen(Queue.offerAll(lines, all), Effect.asVoid(writes.take(1))),
        note: (line) => Effect.asVoid(Queue.offer(notes, line)),
        status: (line) => (line === undefined ? Effect.void : Effect.asVoid(Queue.offer(waits, line))),
        width: 200,
        color: false,
      }),
      emptyInput,
      Effect.forkChild,
    )
    return {
      fiber,
      /** Returns the next line while its write blocks. */
      pendingLine: Queue.take(lines),
      /** Takes the next line, so that its write succeeds. */
      line: Effect.tap(Queue.take(lines), writes.release(1)),
      note: Queue.take(notes),
      /** Waits until the watch waits for its next poll. */
      idle: Queue.take(waits),
      /** Advances the clock while the watch waits. */
      pass: (time: "5 minutes" | "90 seconds") => Effect.andThen(Effect.yieldNow, TestClock.adjust(time)),
      /** Interrupts the watch, as Ctrl-C does. */
      stop: Fiber.interrupt(fiber),
    }
  })

/** Starts `vigil events watch`. */
export const startWatch = (...args: ReadonlyArray<string>) => start(["events", "watch", ...args])
