import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { Email } from "@vigil/appmgmt-client"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const decode = Schema.decodeUnknownResult(Email.Email)

describe("Email", () => {
  it.each([
    "ada@contoso.example",
    "a@b",
    "ada+alerts@contoso.example",
    "o'neill@contoso.example",
    "a/b@contoso.example",
    "50%25@contoso.example",
    "..@..",
    "ada lovelace@contoso.example",
    "äda@contoso.example",
    "😀@contoso.example",
    '"ada@home"@contoso.example',
    "ada?subject=x#y@contoso.example",
  ])("accepts %j unchanged", (text) => {
    expect(Email.make(text)).toBe(text)
    expect(decode(text)).toEqual(Result.succeed(text))
  })

  it.each([
    "",
    "ada",
    "@",
    "ada@",
    "@contoso.example",
    "ada@contoso.example@",
    " ada@contoso.example",
    "ada@contoso.example ",
    "\u00a0ada@contoso.example",
    "ada@contoso.example\u00a0",
    "ada\n@contoso.example",
    "ada@contoso\r.example",
    "ada@contoso.example\n",
    "a\u0000@b",
    "a@b\u0085",
    "\ud800@contoso.example",
    "ada@\udc00",
  ])("rejects %j", (text) => {
    expect(() => Email.make(text)).toThrow()
    expect(Result.isFailure(decode(text))).toBe(true)
  })

  it("must be checked before use", () => {
    expectTypeOf<string>().not.toExtend<Email.Email>()
    expectTypeOf(Email.make("a@b")).toEqualTypeOf<Email.Email>()
  })
})
