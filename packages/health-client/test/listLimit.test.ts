/** What ends lists that take too long, never end, or are refused. */
import { describe, expect, it } from "@effect/vitest"
import * as ListLimit from "@vigil/health-client/ListLimit"
import * as Listing from "@vigil/health-client/Listing"
import { NotFound, ServiceFailure } from "@vigil/health-client/StatusReason"
import { RequestError } from "@vigil/health-client/RequestError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"

const page = { items: [1, 2], invalid: [], older: 0 }

const endless = Stream.forever(Stream.succeed(page))

const limitOf = ({ problem }: { readonly problem: unknown }) =>
  problem instanceof ListLimit.ListLimit ? problem.limit : problem

describe("a list that is collected", () => {
  it.effect("ends at its size, and keeps what was read", () =>
    Effect.gen(function* () {
      const collect = (size: ListLimit.Size) => Listing.collect(endless, Effect.result, size)
      const byEntries = yield* collect({ entries: 5, pages: 100 })
      expect([byEntries.items.length, limitOf(byEntries)]).toEqual([6, { entries: 6, pages: 3 }])
      const byPages = yield* collect({ entries: 100, pages: 2 })
      expect([byPages.items.length, limitOf(byPages)]).toEqual([4, { entries: 4, pages: 2 }])
      const whole = yield* Listing.collect(Stream.make(page, page), Effect.result, { entries: 4, pages: 2 })
      expect(whole.problem).toBeUndefined()
    }),
  )

  it.effect("ends at its time, and keeps what was read", () =>
    Effect.gen(function* () {
      const timeout = Duration.seconds(20)
      const slow = Stream.concat(Stream.succeed(page), Stream.never)
      const fiber = yield* Effect.forkChild(
        Listing.collect(slow, (list) => Effect.result(ListLimit.within(timeout)(list))),
      )
      yield* TestClock.adjust("20 seconds")
      const { items, ...read } = yield* Fiber.join(fiber)
      expect([items, limitOf(read)]).toEqual([[1, 2], { timeout }])
      const late = yield* Effect.flip(ListLimit.within(Duration.zero)(Effect.never))
      expect(late.message).toMatch(/no time was left/)
    }),
  )
})

it.effect("a list that goes on has no limit", () =>
  Effect.gen(function* () {
    const pages = Stream.take(endless, 100_000)
    expect(yield* Stream.runCount(ListLimit.atMost({ entries: Infinity, pages: Infinity })(pages))).toBe(100_000)
  }),
)

it.effect("lists after a refusal are not requested, but those after a missing one and of others are", () =>
  Effect.gen(function* () {
    const error = (reason: RequestError["reason"]) =>
      new RequestError({ service: "health", operation: "test", reason, maybeApplied: false })
    const [missing, refused] = [error(new NotFound({ status: 404 })), error(new ServiceFailure({ status: 503 }))]
    const requested: Array<string> = []
    const run = ListLimit.untilRefused<RequestError>()
    const list = (subscription: string, error: RequestError) =>
      Effect.flip(
        run(
          Effect.suspend(() => {
            requested.push(subscription)
            return Effect.fail(error)
          }),
          subscription,
        ),
      )
    expect(yield* list("a", missing)).toBe(missing)
    expect(yield* list("a", refused)).toBe(refused)
    expect(yield* list("a", missing)).toBe(refused)
    expect(yield* list("b", missing)).toBe(missing)
    expect(requested).toEqual(["a", "a", "b"])
  }),
)
