import { expect, it } from "@effect/vitest"
import { Filter } from "@vigil/health-client"
import * as CodePoint from "@vigil/testing/CodePoint"
import * as property from "@vigil/testing/property"
import * as Equal from "effect/Equal"
import * as FastCheck from "fast-check"

const { and, eq, or, raw } = Filter
const [a, b, c] = [eq("service", "A"), eq("region", "b"), eq("status", "Active")]

it.each<readonly [text: string, filter: Filter.Filter | undefined]>([
  ["", undefined],
  ["service eq 'A'", a],
  ["properties/eventType eq 'ServiceIssue'", eq("eventType", "ServiceIssue")],
  ["service eq 'a'' or region eq ''b'", eq("service", "a' or region eq 'b")],
  ["region eq '\ufffd'", eq("region", "\ud83d")],
  ["service eq 'A' or region eq 'b'", or(a, b)],
  ["service eq 'A' and region eq 'b' or properties/status eq 'Active' and region eq 'b'", or(and(a, b), and(c, b))],
  ["region eq 'b' or priority gt 3", or(b, raw("priority gt 3"))],
])("renders %s", (text, filter) => {
  expect(Filter.render(filter)).toBe(text)
})

it("is plain data, with nested parts flattened", () => {
  for (const same of [or(or(a, b), c), or(a, or(b, c)), or(or(or(a), or(b)), or(c))])
    expect(Equal.equals(same, or(a, b, c))).toBe(true)
  expect(Equal.equals(and(and(a, b), c), and(a, b, c))).toBe(true)
  expect(Equal.equals(or(a, b), or(b, a))).toBe(false)
  // @ts-expect-error -- `and` binds tighter than `or`, and the service may not accept parentheses
  and(or(a, b), c)
  // @ts-expect-error -- another property
  eq("title", "x")
})

/** Hostile values, and values that are hard to parse. */
const pieces = ["'", "''", " ", "\u0000", "\\'", "%27", "(", "eq", " or ", " and ", "' or '1' eq '1", "\ud800", "😀"]
const value = FastCheck.array(
  FastCheck.oneof(FastCheck.constantFrom(...pieces), FastCheck.string({ unit: CodePoint.arbitrary, maxLength: 4 })),
  { maxLength: 8 },
).map((parts) => parts.join(""))
const group = FastCheck.array(FastCheck.tuple(FastCheck.constantFrom("service", "region", "status"), value), {
  minLength: 1,
  maxLength: 3,
})

property.sync(
  "no value changes the expression",
  [FastCheck.array(group, { minLength: 1, maxLength: 4 })],
  ([groups]) => {
    const [first = a, ...others] = groups.map((all) => {
      const [one = a, ...rest] = all.map(([field, value]) => eq(field, value))
      return and(one, ...rest)
    })
    const text = Filter.render(or(first, ...others))
    // An independent reading: removes quoted values, then splits.
    const read = text.replaceAll(/'(?:''|[^'])*'/g, "Q").split(" or ")
    expect(read.map((part) => part.split(" and ").length)).toEqual(groups.map(({ length }) => length))
    expect(text.isWellFormed()).toBe(true)
  },
)
