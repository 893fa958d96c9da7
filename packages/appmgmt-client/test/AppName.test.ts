import { expect, it } from "@effect/vitest"
import { App, AppName } from "@vigil/appmgmt-client"
import * as CodePoint from "@vigil/testing/CodePoint"
import * as property from "@vigil/testing/property"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as FastCheck from "fast-check"

const decode = Schema.decodeUnknownOption(AppName.AppName)
const encode = Schema.encodeSync(AppName.AppName)
const shop = AppName.make("contoso", "shop")

/** Any text that is one path segment, unusual ones more often. */
const segment = FastCheck.oneof(
  FastCheck.constantFrom("a b", "+", "'", "a:b", "ada@home", "...", "ünï", "😀", "a;b=c,d&e", "\u202e", " ", "~!*()"),
  FastCheck.string({ unit: CodePoint.arbitrary, minLength: 1, maxLength: 6 }),
).filter((text) => !/^\.{1,2}$|[/\\?#%\p{Cc}\p{Cs}]/u.test(text))

property.sync(
  "a name is decoded from owner/app, and encoded to the same text, for any two segments",
  [segment, segment],
  ([owner, app]) => {
    const name = AppName.make(owner, app)
    expect(name).toEqual({ owner, app })
    expect([encode(name), AppName.format(name)]).toEqual([`${owner}/${app}`, `${owner}/${app}`])
    expect(decode(`${owner}/${app}`)).toEqual(Option.some(name))
  },
)

it.each([..."/\\?#%\n\0\u0085\ud800", "", ".", "..", "a/b", "a%2fb"])("the part %j is rejected", (text) => {
  expect(() => AppName.make(text, "shop")).toThrow("Expected a text that is one segment of a path")
  expect(() => AppName.make("contoso", text)).toThrow()
  for (const name of [`${text}/shop`, `contoso/${text}`]) expect(decode(name)).toEqual(Option.none())
  expect(App.nameOf({ name: text, owner: { name: "contoso" } })).toBeUndefined()
})

it.each(["", "contoso", "contoso/shop/", "contoso//shop", "https://portal.example/users/a/apps/b", 7, shop])(
  "a name is not decoded from %j",
  (input) => {
    expect(decode(input)).toEqual(Option.none())
  },
)

it("the name of an app consists of its owner and its name, or is absent", () => {
  expect(App.nameOf({ name: "shop", owner: { name: "contoso" } })).toEqual(shop)
  for (const owner of [undefined, null, {}, { name: null }])
    expect(App.nameOf({ name: "shop", ...(owner !== undefined && { owner }) })).toBeUndefined()
})
