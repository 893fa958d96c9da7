import { expect, it } from "@effect/vitest"
import { Email } from "@vigil/appmgmt-client"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const decode = Schema.decodeUnknownOption(Email.Email)

it("an email address is text around an @, without control characters and outer white space", () => {
  for (const text of ["a@b", "o'neill+x@c.example", "a/b@c.example", "..@..", "ä 😀@c.example", '"a@b"@c.example']) {
    expect(Email.make(text)).toBe(text)
    expect(decode(text)).toEqual(Option.some(text))
  }
  for (const text of ["", "a", "@", "a@", "@b", "a@b@", " a@b", "a@b\u00a0", "a\n@b", "a@b\n", "a\0@b", "\ud800@b"]) {
    expect(() => Email.make(text)).toThrow("Expected an email address")
    expect(decode(text)).toEqual(Option.none())
  }
})
