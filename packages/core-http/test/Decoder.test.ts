import { Decoder } from "@vigil/core-http"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const Thing = Schema.Struct({
  id: Schema.String,
  parts: Schema.optional(Schema.Array(Schema.Struct({ size: Schema.NonNegativeInt }))),
  labels: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Number })),
})

const reason = "is missing or has the wrong type"

describe("Decoder.fromSchema", () => {
  it("makes the schema's value of JSON", () => {
    const decode = Decoder.fromSchema(Schema.Struct({ at: Schema.Date }))
    expect(decode({ at: "1994-11-06T08:49:37Z", more: 1 })).toEqual(
      Either.right({ at: new Date("1994-11-06T08:49:37Z") }),
    )
  })

  it.each([
    ["nothing", undefined, ""],
    ["another kind of value", [1], ""],
    ["a field that is missing", {}, "id"],
    ["a field of another type", { id: 7 }, "id"],
    ["a field in an item", { id: "a", parts: [{ size: 1 }, { size: "canary" }] }, "parts.1.size"],
    ["a number that is none of those allowed", { id: "a", parts: [{ size: -7_719 }] }, "parts.0.size"],
    ["an item", { id: "a", parts: ["canary"] }, "parts.0"],
    ["a value by its key", { id: "a", labels: { red: 1, "dark green": "canary" } }, "labels.dark green"],
  ])("names the place of %s, and no value", (_, json, path) => {
    expect(Decoder.fromSchema(Thing)(json)).toEqual(Either.left({ path, reason }))
  })

  it("keeps a hostile key on one line, and short", () => {
    const key = `a\r\n\u202eb${"c".repeat(1_000)}`
    const issue = Either.getOrUndefined(Either.flip(Decoder.fromSchema(Thing)({ id: "a", labels: { [key]: "x" } })))
    expect(issue?.path).toMatch(/^labels\.a bc{180,}…$/)
    expect(issue?.path.length).toBeLessThanOrEqual(201)
  })
})

describe("Decoder.nothing", () => {
  it.each([[undefined], [null], ["text"], [{ id: 1 }]])("accepts %j and keeps nothing of it", (json) => {
    expect(Decoder.nothing(json)).toEqual(Either.right(undefined))
  })
})
