/** Decoded events and statuses are the parsed JSON, and the generated checks agree with the schema. */
import { isDeepStrictEqual } from "node:util"
import { ApiVersion, AvailabilityStatus, HealthEvent, type InvalidField } from "@vigil/health-schema"
import * as EventArbitrary from "@vigil/health-schema/testing"
import * as Result from "effect/Result"
import * as FastCheck from "fast-check"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import { describe, expect, it } from "vitest"
// Internal, because its users cannot choose between the checks and the schema.
import { checks, isAvailabilityStatus } from "../src/internal/checks.js"

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

/** A value with one changed, removed or added value at any path. */
const mutated = (values: FastCheck.Arbitrary<unknown>) =>
  FastCheck.tuple(values, FastCheck.nat(), strange, FastCheck.constantFrom("put", "drop", "add")).map(
    ([value, place, [other], how]) => {
      const all = paths(value)
      const path = all[place % all.length] ?? []
      const changed = { put: other, drop: undefined, add: { ...Object(valueAt(value, path)), unheard: other } }[how]
      return copy(put(value, path, changed) ?? null)
    },
  )

interface Kind {
  readonly name: string
  readonly ast: SchemaAST.AST
  readonly values: FastCheck.Arbitrary<unknown>
  readonly decode: (input: unknown) => Result.Result<unknown, InvalidField.InvalidField>
  readonly isValid: (input: unknown) => boolean
}

const kinds: ReadonlyArray<Kind> = [
  ...ApiVersion.all.map((version) => ({
    name: `events of version ${version}`,
    ast: HealthEvent.schema(version).ast,
    values: EventArbitrary.event(version),
    decode: HealthEvent.decode(version),
    isValid: (input: unknown) => checks[version](input, "enableVendorSupport"),
  })),
  {
    name: "statuses",
    ast: AvailabilityStatus.AvailabilityStatus.ast,
    values: EventArbitrary.availabilityStatus,
    decode: AvailabilityStatus.decode,
    isValid: isAvailabilityStatus,
  },
]

describe.each(kinds)("$name", ({ ast, decode, isValid, values }) => {
  const schema = Schema.make<Schema.Codec<unknown>>(ast)
  const accepts = Schema.is(schema)
  const decodes = (input: unknown) => Result.isSuccess(Schema.decodeUnknownResult(schema)(input))

  it("decode to the parsed JSON", () => {
    FastCheck.assert(
      FastCheck.property(values, (value) => {
        const sent = copy(value)
        const decoded = Result.getOrThrow(decode(value))
        const text = JSON.stringify(sent)
        expect(JSON.stringify(decoded)).toBe(text)
        expect(isDeepStrictEqual(decoded, sent)).toBe(true)
      }),
    )
  })

  it("decode and encode without loss by the schema itself, except for an own __proto__", () => {
    FastCheck.assert(
      FastCheck.property(values, (value) => {
        const text = JSON.stringify(value).replaceAll(`"__proto__"`, `"proto"`)
        const sent = JSON.parse(text)
        const decoded = Schema.decodeUnknownSync(schema)(sent)
        expect(JSON.stringify(decoded)).toBe(text)
        expect(JSON.stringify(Schema.encodeSync(schema)(decoded))).toBe(text)
      }),
    )
  })

  it("have checks that agree with the schema for one changed value", () => {
    const verdicts: Array<boolean> = []
    FastCheck.assert(
      FastCheck.property(mutated(values), (value) => {
        const verdict = decodes(value)
        verdicts.push(verdict)
        expect(isValid(value)).toBe(verdict)
        expect(accepts(value)).toBe(verdict)
        expect(Result.isSuccess(decode(value))).toBe(verdict)
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
