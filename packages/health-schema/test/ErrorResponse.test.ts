import { ErrorResponse } from "@vigil/health-schema"
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"

describe("an error body", () => {
  const inner = { code: "A", message: "M", more: 1 }

  it.each([
    ["in the form of the document", inner, inner],
    ["under `error`", { error: inner, request: 7 }, inner],
    ["without fields", {}, {}],
    ["without fields under `error`", { error: {} }, {}],
    ["with `error` as text, which is another field", { ...inner, error: "x" }, { ...inner, error: "x" }],
    ["with `error` as a list", { ...inner, error: [] }, { ...inner, error: [] }],
    ["with an `error` of null", { ...inner, error: null }, { ...inner, error: null }],
    ["with `details` of any kind", { details: [{ code: 1 }] }, { details: [{ code: 1 }] }],
  ])("decodes %s", (_, body, expected) => {
    expect(Either.getOrThrow(ErrorResponse.decode(body))).toEqual(expected)
  })

  it("ignores inherited fields", () => {
    const body: unknown = Object.create({ error: { code: 7 } })
    expect(Either.getOrThrow(ErrorResponse.decode(body))).toBe(body)
  })

  it.each([
    [{ code: 7 }, "code", "must be a string, not a number"],
    [{ error: { message: [] } }, "error.message", "must be a string, not an array"],
    ["<html>", "", "must be an object, not a string"],
    [null, "", "must be an object, not null"],
    [[], "", "must be an object, not an array"],
  ])("%j is invalid, with a path", (body, path, reason) => {
    expect(Either.getOrThrow(Either.flip(ErrorResponse.decode(body)))).toMatchObject({ path, reason })
  })
})
