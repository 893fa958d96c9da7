/** How a departure from a schema is told: the deepest place, the reason, and no value. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { check } from "../src/internal/issue.js"

const told = <A, I>(schema: Schema.Schema<A, I>, input: unknown): readonly [path: string, reason: string] => {
  const { path, reason } = Either.getOrThrow(Either.flip(check(schema)(input)))
  return [path, reason]
}

const Shapes = Schema.Union(Schema.Struct({ kind: Schema.Struct({ deep: Schema.Number }) }), Schema.String)

describe("the reason", () => {
  it.each([
    [null, "null"],
    [[], "an array"],
    [{}, "an object"],
    ["text", "a string"],
    [true, "a boolean"],
    [undefined, "a undefined"],
  ])("names what came in place of a number: %j is %s", (input, kind) => {
    expect(told(Schema.Number, input)).toEqual(["", `expected number, got ${kind}`])
  })

  it("names what was expected by its title, else by its identifier, else by its type", () => {
    const named = Schema.Struct({}).annotations({ identifier: "Name" })
    expect(told(named.annotations({ title: "a name" }), null)).toEqual(["", "expected a name, got null"])
    expect(told(named, null)).toEqual(["", "expected Name, got null"])
    expect(told(Schema.Array(Schema.Literal("a", "b")), [1])).toEqual(["[0]", `expected "a", got a number`])
  })

  it("is that of a refinement, or of what it refines", () => {
    const short = Schema.String.pipe(Schema.filter((text) => text.length < 3, { title: "a short text" }))
    expect(told(short, "canary")).toEqual(["", "expected a short text, got another string"])
    expect(told(short, 7)).toEqual(["", "expected string, got a number"])
  })

  it("says what is missing, what is too much, and what can't be told at once", () => {
    expect(told(Schema.Struct({ a: Schema.Struct({ b: Schema.Number }) }), { a: {} })).toEqual(["a.b", "is missing"])
    const closed = Schema.Struct({ a: Schema.Tuple(Schema.String) }).annotations({
      parseOptions: { onExcessProperty: "error" },
    })
    expect(told(closed, { a: ["x"], b: 1 })).toEqual(["b", "is not expected here"])
    const later = Schema.transformOrFail(Schema.String, Schema.Number, {
      strict: true,
      decode: () => Effect.delay(Effect.succeed(1), 1),
      encode: () => Effect.succeed(""),
    })
    expect(told(Schema.Struct({ later }), { later: "x" })).toEqual(["later", "could not be checked"])
  })

  it("is that of the side of a transformation that failed", () => {
    expect(told(Schema.Struct({ n: Schema.NumberFromString }), { n: true })).toEqual([
      "n",
      "expected string, got a boolean",
    ])
  })
})

describe("the path", () => {
  const inner = Schema.Struct({ list: Schema.Array(Schema.Struct({ n: Schema.Number })) })

  it("leads through records and lists", () => {
    expect(told(inner, { list: [{ n: 1 }, { n: "x" }] })[0]).toBe("list[1].n")
    expect(told(Schema.Array(inner), [{ list: [{}] }])[0]).toBe("[0].list[0].n")
    expect(told(Schema.Array(Schema.Array(Schema.Number)), [[1, "x"]])[0]).toBe("[0][1]")
  })

  it("is that of the member of a union that came furthest, the first of equals", () => {
    expect(told(Shapes, { kind: { deep: "x" } })).toEqual(["kind.deep", "expected number, got a string"])
    const turned = Schema.Union(Schema.String, Schema.Struct({ kind: Schema.Struct({ deep: Schema.Number }) }))
    expect(told(turned, { kind: { deep: "x" } })[0]).toBe("kind.deep")
    const equals = Schema.Union(Schema.Struct({ a: Schema.Number }), Schema.Struct({ b: Schema.Number }))
    expect(told(equals, {})).toEqual(["a", "is missing"])
  })

  it("is never that of null, where something else would do", () => {
    expect(told(Schema.NullOr(Schema.Number), "x")).toEqual(["", "expected number, got a string"])
    const first = Schema.Union(Schema.Null, Schema.Struct({ a: Schema.Number }))
    expect(told(first, "x")[1]).not.toContain("null")
    expect(told(Schema.Union(Schema.Null, Schema.Literal("a")), 7)).toEqual(["", `expected "a", got a number`])
  })
})

describe("what is accepted", () => {
  it("comes back as it is, by the fast path or by the schema", () => {
    const input = { a: 1, more: [2] }
    expect(Either.getOrThrow(check(Schema.Struct({ a: Schema.Number }))(input))).toBe(input)
    expect(
      Either.getOrThrow(check(Schema.Struct({ a: Schema.Union(Schema.Tuple(Schema.Number), Schema.Number) }))(input)),
    ).toBe(input)
    const tuple = [1]
    expect(Either.getOrThrow(check(Schema.Tuple(Schema.Number))(tuple))).toBe(tuple)
  })
})
