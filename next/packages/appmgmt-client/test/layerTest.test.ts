/** The client with an in-memory service, for the tests of applications. */
import { describe, expect, it } from "@effect/vitest"
import { AppManagement, AppName, Decoder, Email } from "@vigil/appmgmt-client"
import * as Effect from "effect/Effect"
import { ada, shop } from "./harness.js"

const grace = Email.make("grace+o'x/y%@contoso.example")
const unusual = AppName.make("a b", "ü+'")

const data = {
  user: { name: "ada", settings: { theme: "dark" } },
  apps: [{ name: "shop", owner: { name: "contoso" } }],
  users: { "contoso/shop": [ada, grace], "a b/ü+'": [grace] },
}

const using = <A, E>(use: (apps: AppManagement.Service) => Effect.Effect<A, E>, data?: AppManagement.TestData) =>
  Effect.provide(Effect.flatMap(AppManagement.AppManagement, use), AppManagement.layerTest(data))

describe("layerTest", () => {
  it.effect("returns the profile and apps of the data", () =>
    using(
      (apps) =>
        Effect.gen(function* () {
          expect(yield* apps.user).toEqual(data.user)
          expect(yield* apps.apps).toEqual(data.apps)
        }),
      data,
    ),
  )

  it.effect("has no user and no apps without data", () =>
    using((apps) =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(apps.user)).toMatchObject({
          _tag: "NotFound",
          code: "NotFound",
          detail: "The test data has no response for this request.",
        })
        expect(yield* apps.apps).toEqual([])
        expect(yield* Effect.flip(apps.removeUser(shop, ada))).toMatchObject({
          _tag: "AppNotFound",
          code: "AppNotFound",
          detail: "The app contoso/shop does not exist.",
        })
      }),
    ),
  )

  it.effect("removes a user once, from one app only", () =>
    using(
      (apps) =>
        Effect.gen(function* () {
          expect(yield* apps.removeUser(shop, grace)).toEqual({ _tag: "Removed" })
          expect(yield* Effect.flip(apps.removeUser(shop, grace))).toMatchObject({
            _tag: "UserNotFound",
            detail: "The app contoso/shop does not have this user.",
          })
          expect(yield* apps.removeUser(unusual, grace)).toEqual({ _tag: "Removed" })
          expect(yield* Effect.flip(apps.removeUser(unusual, ada))).toMatchObject({ _tag: "UserNotFound" })
          expect(yield* apps.removeUser(shop, ada)).toEqual({ _tag: "Removed" })
        }),
      data,
    ),
  )

  it.effect("shares no state between tests", () =>
    Effect.gen(function* () {
      const remove = using((apps) => apps.removeUser(shop, ada), data)
      expect([yield* remove, yield* remove]).toEqual([{ _tag: "Removed" }, { _tag: "Removed" }])
    }),
  )

  it.effect("responds with 404 to anything else", () =>
    using(
      (apps) =>
        Effect.gen(function* () {
          const send = { operation: "Other", decode: Decoder.ignore }
          const member = "/v0.1/apps/contoso/shop/users/ada%40contoso.example"
          for (const call of [
            apps.request({ ...send, method: "GET", url: "/v0.1/orgs" }),
            apps.request({ ...send, method: "GET", url: member }),
            apps.request({ ...send, method: "POST", url: "/v0.1/user", body: {} }),
            apps.request({ ...send, method: "POST", url: "/v0.1/apps", body: {} }),
            apps.request({ ...send, method: "POST", url: member, body: {} }),
            apps.request({ ...send, method: "DELETE", url: "/v0.1/apps/contoso/shop/users" }),
            apps.request({ ...send, method: "DELETE", url: `${member}/x` }),
            apps.request({ ...send, method: "DELETE", url: `/x${member}` }),
          ]) {
            expect(yield* Effect.flip(call)).toMatchObject({
              _tag: "NotFound",
              code: "NotFound",
              detail: "The test data has no response for this request.",
            })
          }
          expect(yield* apps.removeUser(shop, ada)).toEqual({ _tag: "Removed" })
        }),
      data,
    ),
  )
})
