import { describe, expect, it } from "@effect/vitest"
import { App, AppName, type AppManagement } from "@vigil/appmgmt-client"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Option from "effect/Option"
import { anyLayer, runCall } from "./harness.js"

/** The result of the call for this body. */
const resultFor = (body: unknown, use: (apps: AppManagement.Service) => Effect.Effect<unknown, unknown>) =>
  Effect.map(runCall([Reply.json(body)], use), ({ result }) => result).pipe(Effect.provide(anyLayer))

const full = {
  id: "8a1f",
  name: "shop",
  display_name: "Shop",
  description: null,
  os: "Android",
  platform: "Kotlin",
  origin: "sandbox",
  owner: { id: "1", name: "contoso", display_name: "Contoso", email: null, type: "org", avatar_url: null },
}

describe("apps", () => {
  it.live.each([[[]], [[full]], [[{}, { name: null, owner: null }, full]]])(
    "are returned exactly as the service sends them: %j",
    ([list]) =>
      Effect.gen(function* () {
        expect(yield* resultFor(list, (apps) => apps.apps)).toEqual(Result.succeed(list))
      }),
  )

  it.live.each([
    [{}, ""],
    [null, ""],
    [[7], "0"],
    [[full, { name: 7 }], "1.name"],
    [[{ owner: "contoso" }], "0.owner"],
    [[{ owner: { name: 7 } }], "0.owner.name"],
    [[{ owner: { type: {} } }], "0.owner.type"],
    [[{ display_name: [] }], "0.display_name"],
  ])("fail with a DecodeError for %j, at %j", ([body, path]) =>
    Effect.gen(function* () {
      expect(yield* resultFor(body, (apps) => apps.apps)).toMatchObject({
        failure: { _tag: "DecodeError", operation: "AppManagement.apps", path },
      })
    }),
  )
})

describe("the fields of a user and of an app", () => {
  const texts = ["id", "name", "display_name", "email", "origin", "avatar_url", "created_at"]

  it.live("of a user are optional or null, with the declared types", () =>
    Effect.gen(function* () {
      for (const field of [...texts, "can_change_password", "permissions"]) {
        expect(yield* resultFor({ [field]: null }, (apps) => apps.user)).toEqual(Result.succeed({ [field]: null }))
        expect(yield* resultFor({ [field]: {} }, (apps) => apps.user)).toMatchObject({
          failure: { _tag: "DecodeError", path: field },
        })
      }
    }),
  )

  it.live("of an app are optional or null, with the observed types", () =>
    Effect.gen(function* () {
      for (const field of ["id", "name", "display_name", "description", "os", "platform", "owner"]) {
        expect(yield* resultFor([{ [field]: null }], (apps) => apps.apps)).toEqual(Result.succeed([{ [field]: null }]))
        expect(yield* resultFor([{ [field]: 7 }], (apps) => apps.apps)).toMatchObject({
          failure: { _tag: "DecodeError", path: `0.${field}` },
        })
      }
      for (const field of ["id", "name", "display_name", "email", "type"]) {
        expect(yield* resultFor([{ owner: { [field]: 7 } }], (apps) => apps.apps)).toMatchObject({
          failure: { _tag: "DecodeError", path: `0.owner.${field}` },
        })
      }
    }),
  )
})

describe("the name of an app", () => {
  it("consists of its owner and its name", () => {
    expect(App.nameOf(full)).toEqual(Option.some(AppName.make("contoso", "shop")))
  })

  it.each([
    {},
    { name: "shop" },
    { owner: { name: "contoso" } },
    { name: null, owner: { name: "contoso" } },
    { name: "shop", owner: null },
    { name: "shop", owner: {} },
    { name: "shop", owner: { name: null } },
    { name: "a/b", owner: { name: "contoso" } },
    { name: "shop", owner: { name: ".." } },
  ])("is absent for %j", (app) => {
    expect(App.nameOf(app)).toEqual(Option.none())
  })
})
