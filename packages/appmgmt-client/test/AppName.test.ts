import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { AppName } from "@vigil/appmgmt-client"
import * as CodePoint from "@vigil/testing/CodePoint"
import * as Result from "effect/Result"
import * as Equal from "effect/Equal"
import * as FastCheck from "fast-check"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const decode = Schema.decodeUnknownResult(AppName.AppName)

const shop = AppName.make("contoso", "shop")

/** Unusual names that are one path segment. */
const unusual = [
  "a b",
  "+",
  "'",
  "a:b",
  "ada@home",
  "...",
  "ünï",
  "😀",
  "users",
  "apps",
  "a;b=c,d&e",
  "\u202e",
  " ",
  "~!*()",
]

/** Texts that are not one path segment. */
const invalid = [
  "",
  ".",
  "..",
  "a/b",
  "/",
  "a\\b",
  "a?b",
  "a#b",
  "a%2fb",
  "%",
  "a\nb",
  "a\u0000",
  "\u0085",
  "\ud800",
  "\udc00a",
]

/** Any valid name. */
const name = FastCheck.oneof(
  FastCheck.constantFrom(...unusual),
  FastCheck.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
  FastCheck.string({ unit: CodePoint.arbitrary, minLength: 1, maxLength: 6 }),
).filter((text) => Result.isSuccess(decode({ owner: text, app: "x" })))

const anyName = FastCheck.tuple(name, name).map(([owner, app]) => AppName.make(owner, app))

describe("AppName", () => {
  it.each(unusual)("accepts the part %j unchanged", (text) => {
    expect(AppName.make(text, "shop")).toEqual({ owner: text, app: "shop" })
    expect(AppName.make("contoso", text)).toEqual({ owner: "contoso", app: text })
    expect(decode({ owner: text, app: text })).toEqual(Result.succeed(AppName.make(text, text)))
  })

  it.each(invalid)("rejects the part %j", (text) => {
    expect(() => AppName.make(text, "shop")).toThrow()
    expect(() => AppName.make("contoso", text)).toThrow()
    expect(Result.isFailure(decode({ owner: text, app: "shop" }))).toBe(true)
    expect(Result.isFailure(decode({ owner: "contoso", app: text }))).toBe(true)
  })

  it("equals another with the same parts", () => {
    expect(Equal.equals(shop, AppName.make("contoso", "shop"))).toBe(true)
    expect(Equal.equals(shop, AppName.make("shop", "contoso"))).toBe(false)
  })

  it("must be checked before use", () => {
    expectTypeOf<{ readonly owner: string; readonly app: string }>().not.toExtend<AppName.AppName>()
  })
})

describe("owner/app", () => {
  it("is formatted and parsed", () => {
    expect(AppName.format(shop)).toBe("contoso/shop")
    expect(AppName.parse("contoso/shop")).toEqual(Option.some(shop))
  })

  it("is parsed to the same name after formatting, for any name", () => {
    FastCheck.assert(
      FastCheck.property(anyName, (name) => {
        expect(AppName.parse(AppName.format(name))).toEqual(Option.some(name))
      }),
    )
  })

  it.each([
    "",
    "contoso",
    "/",
    "contoso/",
    "/shop",
    "contoso/../shop",
    "contoso/shop/",
    "contoso/shop/x",
    "contoso//shop",
    "a/..",
    "https://portal.example/users/contoso/apps/shop",
  ])("rejects %j", (text) => {
    expect(AppName.parse(text)).toEqual(Option.none())
  })
})

describe("isSame", () => {
  it("ignores case, and compares the whole name", () => {
    expect(AppName.isSame(shop, AppName.make("Contoso", "SHOP"))).toBe(true)
    expect(AppName.isSame(shop, AppName.make("contoso", "shop2"))).toBe(false)
    expect(AppName.isSame(shop, AppName.make("fabrikam", "shop"))).toBe(false)
  })
})
