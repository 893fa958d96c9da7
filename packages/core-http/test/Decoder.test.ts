import { Decoder } from "@vigil/core-http"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "@effect/vitest"

const Thing = Schema.Struct({
  id: Schema.String,
  parts: Schema.optional(Schema.Array(Schema.Struct({ size: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)) }))),
  labels: Schema.optional(Schema.Record(Schema.String, Schema.Number)),
  since: Schema.optional(Schema.FiniteFromString),
  owner: Schema.optional(Schema.NullOr(Schema.Struct({ name: Schema.String }))),
})

const decoding = (json: unknown) => Effect.runSync(Effect.result(Decoder.fromSchema(Thing)(json)))

describe("Decoder.fromSchema", () => {
  it.effect("decodes JSON", () =>
    Effect.gen(function* () {
      const decode = Decoder.fromSchema(Schema.Struct({ at: Schema.DateFromString }))
      expect(yield* decode({ at: "1994-11-06T08:49:37Z", more: 1 })).toEqual({ at: new Date("1994-11-06T08:49:37Z") })
    }),
  )

  it.each([
    ["an undefined value", undefined, "", /^does not match object$/],
    ["another kind of value", [1], "", /^does not match object$/],
    ["a field that is missing", {}, "id", /^is missing$/],
    ["a field of another type", { id: 7 }, "id", /^does not match string$/],
    [
      "a field in an item",
      { id: "a", parts: [{ size: 1 }, { size: "canary" }] },
      "parts.1.size",
      /^does not match number$/,
    ],
    [
      "a field that a refinement rejects",
      { id: "a", parts: [{ size: -7_719 }] },
      "parts.0.size",
      /^does not match a value greater than or equal to 0$/,
    ],
    [
      "a field that a transformation rejects",
      { id: "a", since: "canary" },
      "since",
      /^does not match a finite number$/,
    ],
    ["a field in a member of a union", { id: "a", owner: { name: 7_719 } }, "owner.name", /^does not match string$/],
    [
      "a field that no member of a union matches",
      { id: "a", owner: 7_719 },
      "owner",
      /^does not match object \| null \| undefined$/,
    ],
    ["an item", { id: "a", parts: ["canary"] }, "parts.0", /^does not match object$/],
    [
      "a value of a record",
      { id: "a", labels: { red: 1, "dark green": "canary" } },
      "labels.dark green",
      /^does not match number$/,
    ],
  ])("reports the path and the expected type of %s, without the value", (_, json, path, reason) => {
    const issue = Result.getOrThrow(Result.flip(decoding(json)))
    expect(issue.path).toBe(path)
    expect(issue.reason).toMatch(reason)
    expect(issue.reason).not.toMatch(/canary|7719/)
  })

  it.each([
    ["first", { a: { b: 7_719 } }, "a.b"],
    ["last", { c: { d: { e: 7_719 } } }, "c.d.e"],
  ])("reports the %s member of a union if its issue has the longest path", (_, json, path) => {
    const One = Schema.Union([
      Schema.Struct({ a: Schema.Struct({ b: Schema.String }) }),
      Schema.Struct({ x: Schema.String }),
      Schema.Struct({ c: Schema.Struct({ d: Schema.Struct({ e: Schema.String }) }) }),
    ])
    const issue = Effect.runSync(Effect.flip(Decoder.fromSchema(One)(json)))
    expect(issue).toEqual({ path, reason: "does not match string" })
  })

  it("reports the path of a filter", () => {
    const Span = Schema.Struct({ from: Schema.Number, to: Schema.Number }).pipe(
      Schema.check(
        Schema.makeFilter(({ from, to }) => (from <= to ? true : { path: ["to"], issue: `${to} is too small` })),
      ),
    )
    const issue = Effect.runSync(Effect.flip(Decoder.fromSchema(Span)({ from: 7_719, to: 1 })))
    expect(issue.path).toBe("to")
    expect(issue.reason).not.toContain("7719")
  })
})
