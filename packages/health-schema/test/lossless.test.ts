/** Decoded events are the parsed JSON, and the generated checks agree with the schema. */
import { isDeepStrictEqual } from "node:util"
import { ApiVersion, HealthEvent } from "@vigil/health-schema"
import * as EventArbitrary from "@vigil/health-schema/testing"
import * as Result from "effect/Result"
import * as FastCheck from "fast-check"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
// Internal, because its users cannot choose between the checks and the schema.
import { checks } from "../src/internal/checks.js"

/** An independent copy, by JSON. */
const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** The paths to all values within a value. */
const paths = (value: unknown, at: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> =>
  typeof value === "object" && value !== null
    ? [at, ...Object.entries(value).flatMap(([key, inner]) => paths(inner, [...at, key]))]
    : [at]

/** Returns a copy of the value with another value at the path. */
const put = (value: unknown, [key, ...rest]: ReadonlyArray<string>, other: unknown): unknown => {
  if (key === undefined) return other
  const entries = Object.entries(value as object).map(([name, inner]) => [
    name,
    name === key ? put(inner, rest, other) : inner,
  ])
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}

/** The value at the path. */
const valueAt = (value: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, key) => Object.getOwnPropertyDescriptor(Object(inner), key)?.value, value)

const strange = FastCheck.constantFrom<ReadonlyArray<unknown>>(
  ...[
    7,
    -1,
    24,
    1.5,
    2 ** 31,
    1e21,
    "",
    "x",
    "7/24/2020",
    "0001-01-01T00:00:00",
    true,
    null,
    [],
    {},
    [null],
    [[]],
    { a: 1 },
  ].map((value) => [value]),
)

/** An event with one changed, removed or added value at any path. */
const mutated = (version: ApiVersion.ApiVersion) =>
  FastCheck.tuple(
    EventArbitrary.event(version),
    FastCheck.nat(),
    strange,
    FastCheck.constantFrom("put", "drop", "add"),
  ).map(([event, place, [other], how]) => {
    const all = paths(event)
    const path = all[place % all.length] ?? []
    const changed = { put: other, drop: undefined, add: { ...Object(valueAt(event, path)), unheard: other } }[how]
    return copy(put(event, path, changed) ?? null)
  })

describe.each(ApiVersion.all)("version %s", (version) => {
  const { ast } = HealthEvent.schema(version)
  const schema = Schema.make<Schema.Codec<unknown>>(ast)
  const accepts = Schema.is(schema)
  const decodes = (input: unknown) => Result.isSuccess(Schema.decodeUnknownResult(schema)(input))
  const isValid = (input: unknown) => checks[version](input, "enableVendorSupport")

  it("decodes to the parsed JSON", () => {
    FastCheck.assert(
      FastCheck.property(EventArbitrary.event(version), (event) => {
        const sent = copy(event)
        const decoded = Result.getOrThrow(HealthEvent.decode(version)(event))
        const text = JSON.stringify(sent)
        expect(JSON.stringify(decoded)).toBe(text)
        expect(isDeepStrictEqual(decoded, sent)).toBe(true)
      }),
    )
  })

  it("decodes and encodes without loss by the schema itself, except for an own __proto__", () => {
    FastCheck.assert(
      FastCheck.property(EventArbitrary.event(version), (event) => {
        const text = JSON.stringify(event).replaceAll(`"__proto__"`, `"proto"`)
        const sent = JSON.parse(text)
        const decoded = Schema.decodeUnknownSync(schema)(sent)
        expect(JSON.stringify(decoded)).toBe(text)
        expect(JSON.stringify(Schema.encodeSync(schema)(decoded))).toBe(text)
      }),
    )
  })

  it("has checks that agree with the schema for events with one changed value", () => {
    const verdicts: Array<boolean> = []
    FastCheck.assert(
      FastCheck.property(mutated(version), (event) => {
        const verdict = decodes(event)
        verdicts.push(verdict)
        expect(isValid(event)).toBe(verdict)
        expect(accepts(event)).toBe(verdict)
        expect(Result.isSuccess(HealthEvent.decode(version)(event))).toBe(verdict)
      }),
    )
    const accepted = verdicts.filter((verdict) => verdict).length / verdicts.length
    expect([accepted > 0.1, accepted < 0.8]).toEqual([true, true])
  })
})

describe("arbitrary events", () => {
  const events = FastCheck.sample(EventArbitrary.event("2025-05-01"), { numRuns: 2_000, seed: 1 })
  const text = events.map((event) => JSON.stringify(event)).join("\n")

  it("include null, __proto__, undocumented fields, odd dates, and enumerations in any case", () => {
    for (const sign of [":null", `"__proto__":`, `"impactedResourcesCount":`, `"SERVICEISSUE"`, `"ServiceIssue"`])
      expect(text).toContain(sign)
    for (const date of [`"0001-`, /T\d\d:\d\d:\d\d(\.\d+)?"/, ".1203530", `"lastUpdateTime":""`])
      expect(text).toMatch(date)
  })
})
