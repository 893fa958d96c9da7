/** What spans of effects and streams get when these end. */
import { expect, it } from "@effect/vitest"
import { Span } from "@vigil/core-http"
import { record } from "@vigil/testing/Recorder"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"

const child = Span.run("child")(Effect.succeed("result"))
const options = { attributes: { id: 1 } }
const inEffect = Span.run("parent", options)
const inStream = Span.runStream("parent", options)
const pages = Stream.concat(Stream.fromEffect(child), Stream.make("more"))

/** Without the names of spans, which Effect adds to causes. */
const brief = Exit.match({ onSuccess: (value: unknown) => value, onFailure: Cause.squash })

it.effect.each<readonly [string, Effect.Effect<unknown, string>, error?: string]>([
  ["an effect", inEffect(child)],
  ["an effect that fails", inEffect(Effect.andThen(child, Effect.fail("down"))), "down"],
  ["a stream", Stream.runCollect(inStream(pages))],
  ["a stream that is stopped early", Stream.runHead(inStream(pages))],
  ["a stream that fails", Stream.runDrain(inStream(Stream.concat(pages, Stream.fail("down")))), "down"],
])("the span of %s contains other spans, and gets no result", ([, effect, error]) =>
  Effect.gen(function* () {
    const { spans } = yield* record(Effect.exit(effect))
    expect(spans.map(({ exit, ...span }) => ({ ...span, end: brief(exit) }))).toEqual([
      { name: "child", parent: "parent", attributes: {}, end: undefined },
      { name: "parent", parent: undefined, attributes: { id: 1 }, end: error },
    ])
  }),
)

it.effect("the span of a stream ends with the stream, also if it is interrupted or another one follows", () =>
  Effect.gen(function* () {
    const two = Stream.concat(Span.runStream("first")(pages), Span.runStream("second")(Stream.never))
    const { spans } = yield* record(
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Stream.runDrain(two), { startImmediately: true })
        yield* Effect.yieldNow
        yield* Fiber.interrupt(fiber)
      }),
    )
    expect(spans.map(({ name }) => name)).toEqual(["child", "first", "second"])
    expect(spans.map(({ exit }) => Exit.isSuccess(exit))).toEqual([true, true, false])
  }),
)
