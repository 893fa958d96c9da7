import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { parse } from "../src/internal/retryAfter.js"

const now = Date.UTC(1994, 10, 6, 8, 49, 37)

const waitOf = (header: string | undefined) => Option.getOrUndefined(Option.map(parse(header, now), Duration.toMillis))

describe("Retry-After", () => {
  // Far from GMT, so that a date that is read in local time shows.
  beforeAll(() => void vi.stubEnv("TZ", "Pacific/Kiritimati"))
  afterAll(() => void vi.unstubAllEnvs())

  it.each([
    ["seconds", "7", 7_000],
    ["no seconds", "0", 0],
    ["seconds with space around them", " 7\t", 7_000],
    ["more seconds than anybody waits", "9".repeat(30), 3_155_760_000_000],
    ["a date", "Sun, 06 Nov 1994 08:50:37 GMT", 60_000],
    ["a date with space around it", "  Sun, 06 Nov 1994 08:50:37 GMT ", 60_000],
    ["a date in the second form", "Sunday, 06-Nov-94 08:50:37 GMT", 60_000],
    ["a date in the oldest form, which is in GMT, too", "Sun Nov  6 08:50:37 1994", 60_000],
    ["now", "Sun, 06 Nov 1994 08:49:37 GMT", 0],
    ["a date that is over", "Sun, 06 Nov 1994 08:49:36 GMT", 0],
  ])("is read: %s", (_, header, expected) => {
    expect(waitOf(header)).toBe(expected)
  })

  it.each([
    ["absent", undefined],
    ["empty", ""],
    ["negative", "-7"],
    ["a fraction", "7.5"],
    ["an exponent", "1e3"],
    ["seconds with their unit", "7 s"],
    ["words", "Soon, I hope"],
    ["a date without its day of the week", "06 Nov 1994 08:50:37 GMT"],
    ["a date with words before it", "not before Sun, 06 Nov 1994 08:50:37 GMT"],
    ["a date as programs write it", "1994-11-06T08:50:37Z"],
  ])("says nothing when it is %s", (_, header) => {
    expect(waitOf(header)).toBeUndefined()
  })
})
