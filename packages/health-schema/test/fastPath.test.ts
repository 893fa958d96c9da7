/** What the fast path is sure of, shape by shape; and that it never is of what it does not know. */
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { compile } from "../src/internal/fastPath.js"

const sure = (schema: Schema.Schema.Any, input: unknown): boolean => compile(schema.ast)(input)

const Text = Schema.String
const short = Text.pipe(Schema.filter((text) => text.length < 3))
const field = Schema.Struct({ a: Text })
const optional = Schema.Struct({ a: Schema.optionalWith(Text, { exact: true }) })
const open = Schema.Record({ key: Text, value: Schema.Unknown })
const three = Schema.Union(Text, Schema.Number, Schema.Null)

class Inherits {
  get a() {
    return undefined
  }
}

describe("the fast path says yes", () => {
  it.each<readonly [string, Schema.Schema.Any, unknown]>([
    ["to text", Text, ""],
    ["to a number", Schema.Number, Number.NaN],
    ["to a boolean", Schema.Boolean, false],
    ["to anything", Schema.Unknown, undefined],
    ["to a literal", Schema.Literal("a"), "a"],
    ["to null", Schema.Null, null],
    ["to what a filter lets pass", short, "ab"],
    ["to the first member of two", Schema.NullOr(Text), "a"],
    ["to the second member of two", Schema.NullOr(Text), null],
    ["to the last member of three", three, null],
    ["to an empty list", Schema.Array(Text), []],
    ["to a list", Schema.Array(Text), ["a", "b"]],
    ["to a record with more fields", field, { a: "a", b: 1 }],
    ["to a record without a prototype", field, Object.assign(Object.create(null), { a: "a" })],
    ["to an absent optional field", optional, {}],
    ["to a present optional field", optional, { a: "a" }],
    ["to null where anything may stand", Schema.Struct({ a: Schema.Unknown }), { a: null }],
  ])("%s", (_, schema, input) => {
    expect(sure(schema, input)).toBe(true)
    expect(Schema.is(Schema.make(schema.ast))(input)).toBe(true)
  })
})

describe("the fast path says no", () => {
  it.each<readonly [string, Schema.Schema.Any, unknown]>([
    ["to a number in place of text", Text, 7],
    ["to text in place of a number", Schema.Number, "7"],
    ["to text in place of a boolean", Schema.Boolean, "true"],
    ["to another literal", Schema.Literal("a"), "b"],
    ["to what a filter holds back", short, "abc"],
    ["to what a filter was not made for", short, 7],
    ["to what is no member of two", Schema.NullOr(Text), 7],
    ["to what is no member of three", three, true],
    ["to no list", Schema.Array(Text), { length: 0 }],
    ["to a list whose last is wrong", Schema.Array(Text), ["a", 7]],
    ["to a list with a hole", Schema.Array(Text), Array(1)],
    ["to a record whose field is wrong", field, { a: 7 }],
    ["to a record whose field is missing", field, {}],
    ["to a record whose field is undefined", Schema.Struct({ a: Schema.Unknown }), { a: undefined }],
    ["to an optional field that is present and undefined", optional, { a: undefined }],
    ["to an optional field that is inherited and undefined", optional, new Inherits()],
    ["to null in place of a record", Schema.Struct({ a: Schema.Unknown }), null],
    ["to a list in place of a record", optional, []],
    ["to text in place of a record", optional, "text"],
  ])("%s", (_, schema, input) => {
    expect(sure(schema, input)).toBe(false)
  })
})

const symbol = Symbol("a")

describe("the fast path leaves to the schema", () => {
  it.each<readonly [string, Schema.Schema.Any, unknown]>([
    ["tuples", Schema.Tuple(Text), ["a"]],
    ["lists that begin with a tuple", Schema.Tuple([Text], Text), ["a", "b"]],
    ["lists that end with a tuple", Schema.Tuple([], Text, Schema.Number), ["a", 1]],
    ["empty tuples", Schema.Tuple(), []],
    ["maps", open, { a: 1 }],
    ["maps to something", Schema.Record({ key: Text, value: Text }), { a: "a" }],
    ["maps from something", Schema.Record({ key: Schema.TemplateLiteral("a", Text), value: Schema.Unknown }), { a: 1 }],
    [
      "maps from two kinds of keys",
      Schema.Struct({}, open, Schema.Record({ key: Schema.SymbolFromSelf, value: Text })),
      {},
    ],
    ["records that are maps", Schema.Struct({ a: Text }, open), { a: "a" }],
    ["fields that symbols name", Schema.Struct({ [symbol]: Text }), { [symbol]: "a" }],
    ["transformations", Schema.NumberFromString, "7"],
    ["records with one", Schema.Struct({ a: Schema.NumberFromString }), { a: "7" }],
    ["filters of one", Schema.NumberFromString.pipe(Schema.filter(() => true)), "7"],
    ["classes", Schema.Date, new Date(0)],
    ["what is declared", Schema.instanceOf(Date), new Date(0)],
    ["what is suspended", Schema.suspend(() => Text), "a"],
    ["big integers", Schema.BigIntFromSelf, 1n],
  ])("%s", (_, schema, input) => {
    expect(sure(schema, input)).toBe(false)
  })
})
