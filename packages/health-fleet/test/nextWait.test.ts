/** When the next poll of a subscription is due. */
import { expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { nextWait } from "../src/internal/nextWait.js"

const period = { min: Duration.minutes(1), max: Duration.minutes(10) }
const quiet = { has_open_events: false, wait_ms: 120_000 }
const open = { has_open_events: true, wait_ms: 120_000 }
const fails = (retryAfter?: Duration.Duration) => ({ changes: [], retryAfter })

type Case = readonly [string, Parameters<typeof nextWait>[1], ReturnType<typeof fails>, number]

/** The least, in seconds. */
it.effect.each<Case>([
  ["after a quiet poll or a failure is half as long again, less 10 %", quiet, fails(), 162],
  ["is at most the longest period", { ...quiet, wait_ms: 600_000 }, fails(), 540],
  ["with open events is the shortest period, also after a failure", open, fails(), 54],
  ["is as long as the service asks for", open, fails(Duration.minutes(5)), 300],
  ["is not shorter than without a request of the service", quiet, fails(Duration.seconds(5)), 162],
  ["is an hour if the service asks for more", open, fails(Duration.days(30)), 3_600],
])("the wait %s", ([, claim, result, seconds]) =>
  Effect.gen(function* () {
    const random = { nextDoubleUnsafe: () => 0, nextIntUnsafe: () => 0 }
    const wait = yield* Effect.provideService(nextWait(period, claim, result), Random.Random, random)
    expect(Duration.toSeconds(wait)).toBeCloseTo(seconds)
  }),
)
