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
    ["2025-05-13T15:43:48.120Z", "2025-05-13T15:43:48.120Z"],
    ["2025-05-13T15:43:48.1203530Z", "2025-05-13T15:43:48.120Z"],
    ["2025-05-13T15:43:48", "2025-05-13T15:43:48.000Z"],
    ["2025-05-13T15:43", "2025-05-13T15:43:00.000Z"],
    ["2025-05-13", "2025-05-13T00:00:00.000Z"],
    ["2025-05-13T15:43:48+05:30", "2025-05-13T10:13:48.000Z"],
    ["2025-05-13T15:43:48-0800", "2025-05-13T23:43:48.000Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
    ["0099-06-01T00:00:00Z", "0099-06-01T00:00:00.000Z"],
  ])("%s is the instant %s, and keeps its digits", (text, expected) => {
    expect(decode(text)).toBe(text)
    expect(iso(text)).toBe(expected)
  })

  it.each(["", "0001-01-01T00:00:00", "0001-01-01T00:00:00Z", "2025-02-30", "2025-02-29T00:00:00Z", "2025-04-31"])(
    "%j is kept, and has no instant",
    (text) => {
      expect(decode(text)).toBe(text)
      expect(iso(text)).toBeNull()
    },
  )

  it.each([
    "7/24/2020",
    "hello 7",
    "1",
    " ",
    "2025-13-01",
    "2025-05-32",
    "2025-05-13T24:00:00Z",
    "2025-05-13Z",
    7,
    null,
  ])("%j is refused", (value) => {
    expect(Schema.is(Timestamp.Timestamp)(value)).toBe(false)
  })

  it("has no instant when it is absent", () => {
    expect(Timestamp.instant(null)).toEqual(Option.none())
    expect(Timestamp.instant(undefined)).toEqual(Option.none())
  })
})
