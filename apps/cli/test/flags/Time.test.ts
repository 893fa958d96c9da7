import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as Time from "../../src/flags/Time.js"

const now = Date.parse("2026-03-11T12:00:00Z")

const parse = (text: string) => Effect.andThen(TestClock.setTime(now), Time.parseSince(text, "--since"))

describe("--since", () => {
  it.effect.each([
    ["30s", Duration.seconds(30)],
    ["90 min", Duration.minutes(90)],
    ["1 minute", Duration.minutes(1)],
    ["2 Hours", Duration.hours(2)],
    [" 30 days ", Duration.days(30)],
    ["2 weeks", Duration.weeks(2)],
    ["1.5 hours", Duration.minutes(90)],
    ["2026-03-10", DateTime.makeUnsafe("2026-03-10T00:00:00Z")],
    ["2026-03-10 12:30:15", DateTime.makeUnsafe("2026-03-10T12:30:15Z")],
    ["3/10/2026", DateTime.makeUnsafe("2026-03-10T00:00:00Z")],
    ["2026-03-10T12:30:00+05:30", DateTime.makeUnsafe("2026-03-10T07:00:00Z")],
  ] as const)("reads %j as a duration or an instant, in UTC by default", ([text, since]) =>
    Effect.gen(function* () {
      expect(yield* parse(text)).toEqual(since)
    }),
  )

  it.effect.each([
    ...["", "3", "-3d", "3M", "1.5h", "3d 2h", "9999999d", "2026-02-30", "13/10/2026", "0001-01-01"].map(
      (text) =>
        [
          text,
          `is invalid: pass a duration such as 12h, 3d or "2 weeks", or a date such as 2026-03-10 or 2026-03-10T12:00Z.`,
        ] as const,
    ),
    ...["0h", "2026-03-11T12:00:00.001Z", "2999-01-01"].map(
      (text) => [text, "is not in the past: pass an earlier time."] as const,
    ),
  ])("rejects %j, and says what to pass", ([text, words]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(parse(text))
      expect(error).toMatchObject({ _tag: "UsageError", message: `--since ${JSON.stringify(text)} ${words}` })
    }),
  )
})

it.effect("a duration is read within its limit", () =>
  Effect.gen(function* () {
    const interval = Time.duration("1 hour")
    expect(yield* interval.parse("1h", "--interval")).toEqual(Duration.hours(1))
    expect((yield* Effect.flip(interval.parse("61m", "--interval"))).message).toBe(
      `--interval "61m" is invalid: pass a time from 1s to 1h, such as 30s, 5m or "2 hours".`,
    )
  }),
)
