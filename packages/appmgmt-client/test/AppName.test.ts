import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { AppName } from "@vigil/appmgmt-client"
import * as CodePoint from "@vigil/testing/CodePoint"
import * as Either from "effect/Either"
import * as Equal from "effect/Equal"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const decode = Schema.decodeUnknownEither(AppName.AppName)

const shop = AppName.make("contoso", "shop")
const portalUrl = "https://portal.example"

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
).filter((text) => Either.isRight(decode({ owner: text, app: "x" })))

const anyName = FastCheck.tuple(name, name).map(([owner, app]) => AppName.make(owner, app))

describe("AppName", () => {
  it.each(unusual)("accepts the part %j unchanged", (text) => {
    expect(AppName.make(text, "shop")).toEqual({ owner: text, app: "shop" })
    expect(AppName.make("contoso", text)).toEqual({ owner: "contoso", app: text })
    expect(decode({ owner: text, app: text })).toEqual(Either.right(AppName.make(text, text)))
  })

  it.each(invalid)("rejects the part %j", (text) => {
    expect(() => AppName.make(text, "shop")).toThrow()
    expect(() => AppName.make("contoso", text)).toThrow()
    expect(Either.isLeft(decode({ owner: text, app: "shop" }))).toBe(true)
    expect(Either.isLeft(decode({ owner: "contoso", app: text }))).toBe(true)
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
  ])("rejects %j", (text) => {
    expect(AppName.parse(text)).toEqual(Option.none())
  })
})

describe("the portal URL of an app", () => {
  it("contains `users` or `orgs`, depending on the owner type", () => {
    expect(AppName.toPortalUrl(shop, { portalUrl, ownerType: "user" })).toBe(`${portalUrl}/users/contoso/apps/shop`)
    expect(AppName.toPortalUrl(shop, { portalUrl, ownerType: "org" })).toBe(`${portalUrl}/orgs/contoso/apps/shop`)
  })

  it("starts with the portal URL, without its trailing slashes", () => {
    for (const slashes of ["", "/", "//"]) {
      expect(AppName.toPortalUrl(shop, { portalUrl: `${portalUrl}/base/x${slashes}`, ownerType: "org" })).toBe(
        `${portalUrl}/base/x/orgs/contoso/apps/shop`,
      )
    }
  })

  it("contains each part as one segment", () => {
    expect(AppName.toPortalUrl(AppName.make("a b", "ü+'@"), { portalUrl, ownerType: "user" })).toBe(
      `${portalUrl}/users/a%20b/apps/%C3%BC%2B'%40`,
    )
  })

  it("is parsed to the same name and owner type, for any name", () => {
    const ownerTypes = FastCheck.constantFrom("user" as const, "org" as const)
    const within = FastCheck.constantFrom("", "/", "/settings/tokens", "?tab=1", "#top")
    FastCheck.assert(
      FastCheck.property(anyName, ownerTypes, within, (name, ownerType, rest) => {
        const url = AppName.toPortalUrl(name, { portalUrl, ownerType }) + rest
        expect(AppName.fromPortalUrl(url)).toEqual(Option.some({ name, ownerType }))
        expect(AppName.parse(url)).toEqual(Option.some(name))
      }),
    )
  })

  it.each([
    "https://portal.example/users/contoso/apps/shop",
    "https://portal.example/users/contoso/apps/shop/",
    "https://portal.example/users/contoso/apps/shop/crashes/groups?period=last30Days#top",
    "http://localhost:8080/base/users/contoso/apps/shop",
    "HTTPS://PORTAL.EXAMPLE/users/contoso/apps/shop",
    "https://portal.example/users/%63ontoso/apps/sho%70",
  ])("may be %s, for a user's app", (url) => {
    expect(AppName.fromPortalUrl(url)).toEqual(Option.some({ name: shop, ownerType: "user" }))
  })

  it("may be that of an organization's app", () => {
    expect(AppName.fromPortalUrl("https://portal.example/orgs/contoso/apps/shop/settings")).toEqual(
      Option.some({ name: shop, ownerType: "org" }),
    )
  })

  it.each([
    "",
    "contoso/shop",
    "/users/contoso/apps/shop",
    "portal.example/users/contoso/apps/shop",
    "ftp://portal.example/users/contoso/apps/shop",
    "javascript:/users/contoso/apps/shop",
    "https://",
    "https://portal.example",
    "https://portal.example/users/contoso",
    "https://portal.example/users/contoso/apps",
    "https://portal.example/users/contoso/apps/",
    "https://portal.example/users//apps/shop",
    "https://portal.example/teams/contoso/apps/shop",
    "https://portal.example/myusers/contoso/apps/shop",
    "https://portal.example/users/contoso/app/shop",
    "https://portal.example/users/contoso/x/apps/shop",
    "https://portal.example/Users/contoso/apps/shop",
    "https://portal.example/users/con%2Ftoso/apps/shop",
    "https://portal.example/users/contoso/apps/sh%3Fop",
    "https://portal.example/users/contoso/apps/%E0%A4%A",
    "https://portal.example/users/contoso/apps/%FF",
    "https://portal.example/users/contoso/apps/a%25b",
    "https://portal.example/users/contoso/apps/%2e%2e",
    "https://portal.example/?next=/users/contoso/apps/shop",
    "https://portal.example/#/users/contoso/apps/shop",
  ])("may not be %j", (text) => {
    expect(AppName.fromPortalUrl(text)).toEqual(Option.none())
  })
})

describe("isSame", () => {
  it("ignores case, and compares the whole name", () => {
    expect(AppName.isSame(shop, AppName.make("Contoso", "SHOP"))).toBe(true)
    expect(AppName.isSame(shop, AppName.make("contoso", "shop2"))).toBe(false)
    expect(AppName.isSame(shop, AppName.make("fabrikam", "shop"))).toBe(false)
  })
})
