import { Timestamp } from "@vigil/health-schema"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const decode = Schema.decodeUnknownSync(Timestamp.Timestamp)
const iso = (text: string) => Option.getOrNull(Option.map(Timestamp.instant(decode(text)), DateTime.formatIso))

describe("Timestamp", () => {
  it.each([
    ["2025-05-13T15:43:48Z", "2025-05-13T15:43:48.000Z"],
    ["2025-05-13T15:43:48.1203530Z", "2025-05-13T15:43:48.120Z"],
    ["2025-05-13T15:43:48", "2025-05-13T15:43:48.000Z"],
    ["2025-05-13", "2025-05-13T00:00:00.000Z"],
    ["2025-05-13T15:43:48+05:30", "2025-05-13T10:13:48.000Z"],
    ["2025-05-13T15:43:48-0800", "2025-05-13T23:43:48.000Z"],
    ["0002-01-01T00:00:00Z", "0002-01-01T00:00:00.000Z"],
    ["2025-01-09 09:00:00z", "2025-01-09T09:00:00.000Z"],
    ["9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.999Z"],
    ["2016-12-31T23:59:60.5Z", "2017-01-01T00:00:00.500Z"],
  ])("%s is the instant %s, and keeps its digits", (text, expected) => {
    expect(decode(text)).toBe(text)
    expect(iso(text)).toBe(expected)
  })

  it.each(["", "0001-01-01T00:00:00", "0001-01-01T00:00:00Z", "2025-02-30", "2025-02-29T00:00:00Z", "2025-04-31"])(
    "%j is valid, and has no instant",
    (text) => {
      expect(decode(text)).toBe(text)
      expect(iso(text)).toBeNull()
    },
  )

  it.each([
    "7/24/2020",
    "hello 7",
    "2025-13-01",
    "2025-05-13T24:00:00Z",
    "2025-05-13Z",
    "2025-05-13T15:43:48Zx",
    "\n2025-05-13",
    "2025-05-13T15:60",
    "2025-05-13T23:59:61Z",
    "2025-05-13T15:43:48.Z",
    "2025-05-13T15:43.5",
    "2025-05-13T15:43:48+24:00",
    "2025-05-13T15:43:48+01",
    7,
    null,
  ])("%j is invalid", (value) => {
    expect(Schema.is(Timestamp.Timestamp)(value)).toBe(false)
  })
})
