import { Decoder } from "@vigil/core-http"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { expect, it } from "@effect/vitest"

const Size = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const Thing = Schema.Struct({
  id: Schema.String,
  parts: Schema.optional(Schema.Array(Schema.Struct({ size: Size }))),
  labels: Schema.optional(Schema.Record(Schema.String, Schema.Number)),
  since: Schema.optional(Schema.FiniteFromString),
  owner: Schema.optional(
    Schema.Union([
      Schema.Null,
      Schema.Struct({ name: Schema.String }),
      Schema.Struct({ a: Schema.Struct({ b: Size }) }),
    ]),
  ),
  span: Schema.optional(
    Schema.Struct({ to: Schema.Number }).check(
      Schema.makeFilter(({ to }) => (to > 0 ? true : { path: ["to"], issue: "is too small" })),
    ),
  ),
})

it("a decoder of a schema decodes JSON", () => {
  const decoded = Effect.runSync(Decoder.fromSchema(Thing)({ id: "a", since: "7", more: 1 }))
  expect(decoded).toEqual({ id: "a", since: 7 })
})

it.each([
  [undefined, "", "does not match object"],
  [[1], "", "does not match object"],
  [{}, "id", "is missing"],
  [{ id: 7 }, "id", "does not match string"],
  [{ id: "a", parts: [{ size: 1 }, { size: "canary" }] }, "parts.1.size", "does not match number"],
  [{ id: "a", parts: [{ size: -7_719 }] }, "parts.0.size", "does not match a value greater than or equal to 0"],
  [{ id: "a", since: "canary" }, "since", "does not match a finite number"],
  [{ id: "a", owner: { name: 7_719 } }, "owner.name", "does not match string"],
  // The deepest path of a union.
  [{ id: "a", owner: { a: { b: "canary" } } }, "owner.a.b", "does not match number"],
  [{ id: "a", parts: ["canary"] }, "parts.0", "does not match object"],
  [{ id: "a", labels: { "dark green": "canary" } }, "labels.dark green", "does not match number"],
  [{ id: "a", span: { to: -1 } }, "span.to", "is too small"],
])("the issue of %j is at %j: %s, without the value", (json, path, problem) => {
  expect(Effect.runSync(Effect.flip(Decoder.fromSchema(Thing)(json)))).toEqual({ path, problem })
})
