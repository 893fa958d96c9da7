import { describe, expect, it } from "@effect/vitest"
import { Email } from "@vigil/appmgmt-client"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const decode = Schema.decodeUnknownOption(Email.Email)

describe("Email", () => {
  it.each([
    "a@b",
    "ada+x@c.example",
    "o'neill@c.example",
    "a/b@c.example",
    "..@..",
    "ä 😀@c.example",
    '"a@b"@c.example',
  ])("accepts %j unchanged", (text) => {
    expect(Email.make(text)).toBe(text)
    expect(decode(text)).toEqual(Option.some(text))
  })

  it.each(["", "ada", "@", "a@", "@b", "a@b@", " a@b", "a@b ", "\u00a0a@b", "a\n@b", "a@b\n", "a\u0000@b", "\ud800@b"])(
    "rejects %j",
    (text) => {
      expect(() => Email.make(text)).toThrow()
      expect(decode(text)).toEqual(Option.none())
    },
  )
})
