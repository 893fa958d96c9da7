/** How the output of a token command is parsed. */
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as TokenCommand from "../../src/tokens/TokenCommand.js"

const now = DateTime.makeUnsafe("2026-11-22T12:00:00Z")

const later = "2026-11-22T19:00:00.000Z"

const inSeconds = Date.parse(later) / 1000

const left = 25_200

/** The time in the zone of this machine, as the Azure CLI prints it. */
const local = (iso: string): string => {
  const date = new Date(iso)
  const zoned = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return `${zoned.toISOString().slice(0, 19).replace("T", " ")}.000000`
}

const read = (stdout: string) =>
  Result.match(TokenCommand.readOutput(stdout, now), {
    onFailure: (problem) => problem,
    onSuccess: ({ lifetime, secret }) => [
      Redacted.value(secret),
      lifetime === undefined ? null : Duration.toSeconds(lifetime),
    ],
  })

describe("the output of a token command", () => {
  it.each([
    ["a.b.c", null],
    ["\ufeff  a.b.c \r\n\r\n", null],
    ['"a.b.c"\n', null],
    [JSON.stringify({ accessToken: "a.b.c" }), null],
    [JSON.stringify({ access_token: "a.b.c", token_type: "Bearer", expires_in: 25_200 }), left],
    [JSON.stringify({ access_token: "a.b.c", expires_in: "25200" }), left],
    [JSON.stringify({ token: "a.b.c", expiresOn: later }), left],
    [JSON.stringify({ token: "a.b.c", expiresOn: "2026-11-22T20:00:00.123+01:00" }), left],
    [JSON.stringify({ accessToken: "a.b.c", expiresOn: local(later) }, null, 2), left],
    [JSON.stringify({ accessToken: "a.b.c", expires_on: inSeconds }), left],
    [JSON.stringify({ accessToken: "a.b.c", expiresOn: "2026-11-23 00:00:00.000000", expires_on: inSeconds }), left],
    [JSON.stringify({ accessToken: null, token: "a.b.c", expires_on: null, expires_in: 25_200 }), left],
    [JSON.stringify({ token: "a.b.c", expiresOn: "tomorrow", expires_in: 25_200 }), left],
    [JSON.stringify({ token: "a.b.c", expires_on: 1e300 }), 1e300],
  ] as const)("%j holds a token with the lifetime %j", (stdout, lifetime) => {
    expect(read(stdout)).toEqual(["a.b.c", lifetime])
  })

  it.each([
    ["", "empty"],
    ["Please sign in.", "malformed"],
    ["a.b.c\na.b.c", "malformed"],
    ["a.b.c\u0007", "malformed"],
    ["{", "malformed"],
    ['["a.b.c"]', "malformed"],
    [JSON.stringify({ accessToken: 7 }), "malformed"],
    [JSON.stringify({ accessToken: "a.b.c", expires_on: inSeconds - 25_200 }), "expired"],
    [JSON.stringify({ accessToken: "a.b.c", expiresOn: "2020-01-01 00:00:00.000000" }), "expired"],
    [JSON.stringify({ token: "a.b.c", expires_on: "abc" }), "unknownExpiry"],
    [JSON.stringify({ token: "a.b.c", expiresOn: "tomorrow", expires_in: "soon" }), "unknownExpiry"],
    [JSON.stringify({ token: "a.b.c", expires_in: "0x10" }), "unknownExpiry"],
  ] as const)("%j is rejected as %s", (stdout, problem) => {
    expect(read(stdout)).toBe(problem)
  })
})
