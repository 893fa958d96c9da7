import { describe, expect, it } from "@effect/vitest"
import { AppName } from "@vigil/appmgmt-client"
import * as Option from "effect/Option"
import * as PortalUrl from "../../src/apps/PortalUrl.js"

const shop = AppName.make("contoso", "shop")

describe("the portal URL of an app", () => {
  it.each([
    ["https://p.example", shop, "user", "https://p.example/users/contoso/apps/shop"],
    ["https://p.example/base//", shop, "org", "https://p.example/base/orgs/contoso/apps/shop"],
    ["https://p.example/", AppName.make("a b", "ü+'@"), "user", "https://p.example/users/a%20b/apps/%C3%BC%2B'%40"],
  ] as const)("in %s has each part as one segment, and is parsed to the same app", (portal, name, ownerType, url) => {
    expect(PortalUrl.format(portal, name, ownerType)).toBe(url)
    expect(PortalUrl.parse(url)).toEqual(Option.some({ name, ownerType }))
  })

  it.each([
    "http://localhost:8080/base/users/contoso/apps/shop/crashes/groups?period=last30Days#top",
    "HTTPS://PORTAL.EXAMPLE/users/%63ontoso/apps/sho%70/",
  ])("may be %s", (url) => {
    expect(PortalUrl.parse(url)).toEqual(Option.some({ name: shop, ownerType: "user" }))
  })

  it.each([
    "contoso/shop",
    "javascript:/users/contoso/apps/shop",
    "https://portal.example/users/contoso/apps/",
    "https://portal.example/myusers/contoso/apps/shop",
    "https://portal.example/users/contoso/x/apps/shop",
    "https://portal.example/users/con%2Ftoso/apps/shop",
    "https://portal.example/users/contoso/apps/%FF",
    "https://portal.example/users/contoso/apps/%2e%2e",
    "https://portal.example/?next=/users/contoso/apps/shop",
  ])("may not be %s", (text) => {
    expect(PortalUrl.parse(text)).toEqual(Option.none())
  })
})
