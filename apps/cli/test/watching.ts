/** A watch that runs while a test looks on: line by line, as they are taken. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import * as Cli from "../src/Cli.js"
import { Input } from "../src/Input.js"
import { Output } from "../src/output/Output.js"

/** Begins `vigil events watch` with these arguments. A line waits until it is taken. */
export const watching = (...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const lines = yield* Queue.unbounded<string>()
    const notes = yield* Queue.unbounded<string>()
    const waits = yield* Queue.unbounded<string>()
    const taken = yield* Effect.makeSemaphore(1)
    yield* taken.take(1)
    const fiber = yield* Cli.run(["events", "watch", ...args]).pipe(
      Effect.provideService(Output, {
        data: (all) => Effect.zipRight(Queue.offerAll(lines, all), Effect.asVoid(taken.take(1))),
        note: (line) => Effect.asVoid(Queue.offer(notes, line)),
        status: (line) => (line === undefined ? Effect.void : Effect.asVoid(Queue.offer(waits, line))),
        width: 80,
        color: false,
      }),
      Effect.provideService(Input, {
        isTerminal: false,
        isInteractive: false,
        lines: Stream.empty,
        ask: () => Effect.succeed(undefined),
      }),
      Effect.fork,
    )
    return {
      fiber,
      /** The next line, which stays where it is. */
      shown: Queue.take(lines),
      /** The next line, taken away. */
      line: Effect.zipLeft(Queue.take(lines), taken.release(1)),
      note: Queue.take(notes),
      /** Waits until the watch waits for its next reading. */
      idle: Queue.take(waits),
      /** Lets so much time pass, while the watch waits. */
      pass: (time: "5 minutes" | "90 seconds") => Effect.zipRight(Effect.yieldNow(), TestClock.adjust(time)),
      /** As Ctrl-C does. */
      stop: Fiber.interrupt(fiber),
    }
  })
