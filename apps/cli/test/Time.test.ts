import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as Time from "../src/events/Time.js"

describe("--since", () => {
  it.effect.each([
    ["30s", Duration.seconds(30)],
    ["90m", Duration.minutes(90)],
    ["90 min", Duration.minutes(90)],
    ["1 minute", Duration.minutes(1)],
    ["12h", Duration.hours(12)],
    ["2 Hours", Duration.hours(2)],
    ["3d", Duration.days(3)],
    [" 30 days ", Duration.days(30)],
    ["1w", Duration.weeks(1)],
    ["2 weeks", Duration.weeks(2)],
    ["1.5 hours", Duration.minutes(90)],
  ] as const)("reads %j as a duration", ([text, duration]) =>
    Effect.gen(function* () {
      expect(yield* Time.parseSince(text, "--since")).toEqual(duration)
    }),
  )

  it.effect.each([
    ["2026-03-10", "2026-03-10T00:00:00.000Z"],
    ["2026-03-10T12:30", "2026-03-10T12:30:00.000Z"],
    ["2026-03-10 12:30:15", "2026-03-10T12:30:15.000Z"],
    ["3/10/2026", "2026-03-10T00:00:00.000Z"],
    ["2026-03-10T12:30:00+05:30", "2026-03-10T07:00:00.000Z"],
  ] as const)("reads %j as an instant, in UTC by default", ([text, iso]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-11"))
      expect(yield* Time.parseSince(text, "--since")).toEqual(DateTime.unsafeMake(iso))
    }),
  )

  it.effect.each([
    [""],
    ["3"],
    ["d"],
    ["-3d"],
    ["3M"],
    ["3 months"],
    ["1.5h"],
    ["3d 2h"],
    ["9999999d"],
    ["yesterday"],
    ["2026-02-30"],
    ["2026-13-01"],
    ["13/10/2026"],
    ["0001-01-01"],
  ] as const)("rejects %j, and says what to pass", ([text]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Time.parseSince(text, "--since"))
      expect(error._tag).toBe("UsageError")
      expect(error.message).toBe(
        `--since ${JSON.stringify(text)} is invalid: pass a duration such as 12h, 3d or "2 weeks", or a date such as 2026-03-10 or 2026-03-10T12:00Z.`,
      )
    }),
  )

  it.effect.each([["0h"], ["2026-03-10T12:00:00.001Z"], ["2026-03-11"], ["2999-01-01"]] as const)(
    "rejects %j, because it is not in the past",
    ([text]) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.parse("2026-03-10T12:00:00Z"))
        const { message } = yield* Effect.flip(Time.parseSince(text, "--since"))
        expect(message).toBe(`--since ${JSON.stringify(text)} is not in the past: pass an earlier time.`)
      }),
  )
})

describe("a duration", () => {
  const interval = Time.duration("1 hour")

  it.effect.each([
    ["1s", Duration.seconds(1)],
    ["5m", Duration.minutes(5)],
    ["1h", Duration.hours(1)],
  ] as const)("is read from %j", ([text, duration]) =>
    Effect.gen(function* () {
      expect(yield* interval.parse(text, "--interval")).toEqual(duration)
    }),
  )

  it.effect.each([["61m"]] as const)("is not read from %j", ([text]) =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(interval.parse(text, "--interval"))
      expect(message).toBe(
        `--interval ${JSON.stringify(text)} is invalid: pass a time from 1s to 1h, such as 30s, 5m or "2 hours".`,
      )
    }),
  )
})

it("describes a duration and an instant", () => {
  expect(Time.describe(Duration.days(3))).toBe("in the last 3d")
  expect(Time.describe(DateTime.unsafeMake("2026-03-10T12:00Z"))).toBe("since 2026-03-10T12:00:00.000Z")
})
