import { expect, it } from "@effect/vitest"
import { Filter } from "@vigil/health-client"
import * as CodePoint from "@vigil/testing/CodePoint"
import * as FastCheck from "fast-check"

/** Hostile values, and values that are hard to parse. */
const pieces = [
  ["'", "''", "'''", " ", "\t", "\n", "\u0000", "\\", "\\'", '"', "`", "%27", "%2527", "(", ")", ",", ";", "--", "/*"],
  ["eq", "or", "and", "ne", "not", "null", "true", "1", "service", "region", "properties/eventType", "properties/"],
  [" or ", "' or service eq 'x", "' or '1' eq '1", " eq ", "x", "A", "\ud800", "\udc00", "😀", "ü", "\u2019", "\u202e"],
].flat()

const hostile = FastCheck.array(
  FastCheck.oneof(FastCheck.constantFrom(...pieces), FastCheck.string({ unit: CodePoint.arbitrary, maxLength: 4 })),
  { maxLength: 8 },
).map((parts) => parts.join(""))

const value = FastCheck.oneof(
  hostile,
  FastCheck.string({ unit: CodePoint.arbitrary }),
  FastCheck.string({ unit: "grapheme" }),
)

const name = FastCheck.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/).map((name) => Filter.PropertyName.make(name))

const comparison = FastCheck.oneof(
  value.map(Filter.service),
  value.map(Filter.region),
  FastCheck.tuple(name, value).map(([name, value]) => Filter.property(name, value)),
)

/** Filters without raw text, with nested alternatives. */
const filter: FastCheck.Arbitrary<Filter.Filter> = FastCheck.letrec<{ filter: Filter.Filter }>((tie) => ({
  filter: FastCheck.oneof(
    { maxDepth: 3, withCrossShrink: true },
    comparison,
    FastCheck.array(tie("filter"), { minLength: 1, maxLength: 4 }).map(([first, ...rest]) =>
      first === undefined ? Filter.service("") : Filter.or(first, ...rest),
    ),
  ),
})).filter

/** Counts the comparisons of a text independently: removes quoted values, then counts operators. */
const comparisons = (text: string): number => text.replaceAll(/'(?:''|[^'])*'/g, "Q").split(" eq Q").length - 1

const size = (filter: Filter.Filter): number => (filter._tag === "Or" ? filter.parts.length : 1)

it("any filter has one comparison per alternative, with any values", () => {
  FastCheck.assert(
    FastCheck.property(filter, (filter) => {
      const text = Filter.render(filter)
      expect(comparisons(text)).toBe(size(filter))
      // Joined by `or` only.
      expect(text.replaceAll(/'(?:''|[^'])*'/g, "Q")).toMatch(/^[\w/]+ eq Q( or [\w/]+ eq Q)*$/)
      expect(decodeURIComponent(encodeURIComponent(text))).toBe(text)
    }),
  )
})
