/** The client with an in-memory service, for the tests of applications. */
import { describe, expect, it } from "@effect/vitest"
import { ApiToken, AppManagement, AppName, Email } from "@vigil/appmgmt-client"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ada, shop } from "./harness.js"

const grace = Email.make("grace+o'x/y%@contoso.example")
const unusual = AppName.make("a b", "ü+'")

const data = {
  user: { name: "ada", settings: { theme: "dark" } },
  apps: [{ name: "shop", owner: { name: "contoso" } }],
  users: { "contoso/shop": [ada, grace], "a b/ü+'": [grace] },
}

const using = <A, E>(
  use: (apps: AppManagement.Service) => Effect.Effect<A, E>,
  ...args: Parameters<typeof AppManagement.layerTest>
) => Effect.provide(Effect.flatMap(AppManagement.AppManagement, use), AppManagement.layerTest(...args))

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
          const response = Schema.Unknown
          const empty = { request: Schema.Struct({}), body: {}, response } as const
          const member = ["apps", "contoso", "shop", "users", ada]
          for (const call of [
            apps.request({ method: "GET", path: ["orgs"], response }),
            apps.request({ method: "GET", path: member, response }),
            apps.request({ method: "POST", path: ["user"], ...empty }),
            apps.request({ method: "POST", path: ["apps"], ...empty }),
            apps.request({ method: "POST", path: member, ...empty }),
            apps.request({ method: "DELETE", path: member.slice(0, -1), response }),
            apps.request({ method: "DELETE", path: [...member, "x"], response }),
            apps.request({ method: "DELETE", path: ["x", ...member], response }),
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

  it.effect("fails for calls beyond the rights of the token", () =>
    using(
      (apps) =>
        Effect.gen(function* () {
          expect(yield* Effect.flip(apps.user)).toMatchObject({ _tag: "TokenScopeError" })
          expect(yield* Effect.flip(apps.removeUser(unusual, grace))).toMatchObject({ _tag: "TokenScopeError" })
          expect(yield* apps.removeUser(shop, grace)).toEqual({ _tag: "Removed" })
        }),
      data,
      { kind: "app", app: shop, access: "full" },
    ),
  )

  it.effect("accepts the token of the application", () =>
    using(
      (apps) => Effect.map(Effect.flip(apps.user), (error) => expect(error._tag).toBe("TokenScopeError")),
      data,
      ApiToken.app({ secret: Effect.never, app: shop, access: "full" }),
    ),
  )
})
