/** Calls beyond the rights of a described token fail before they are sent. */
import { describe, expect, it } from "@effect/vitest"
import { ApiToken, type AppManagement, AppName } from "@vigil/appmgmt-client"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { ada, anyLayer, runCall, canary, shop } from "./harness.js"

const other = AppName.make("contoso", "shop2")
const upperCase = AppName.make("CONTOSO", "Shop")

const response = Schema.Unknown
const empty = { request: Schema.Struct({}), body: {}, response } as const

/** Calls by scope. */
const calls: Readonly<Record<string, (apps: AppManagement.Service) => Effect.Effect<unknown, unknown>>> = {
  user: (apps) => apps.user,
  apps: (apps) => apps.apps,
  "remove from the app": (apps) => apps.removeUser(shop, ada),
  "remove from the app, in capitals": (apps) => apps.removeUser(upperCase, ada),
  "remove from another app": (apps) => apps.removeUser(other, ada),
  "GET of the app": (apps) => apps.request({ method: "GET", path: ["apps", "contoso", "shop"], response }),
  "GET below the app": (apps) => apps.request({ method: "GET", path: ["Apps", "Contoso", "shop", "users"], response }),
  "GET of another app": (apps) => apps.request({ method: "GET", path: ["apps", "contoso", "shop2"], response }),
  "GET of the account": (apps) => apps.request({ method: "GET", path: ["orgs", "contoso", "shop"], response }),
  "GET of the root": (apps) => apps.request({ method: "GET", path: [], response }),
  "GET of all apps": (apps) => apps.request({ method: "GET", path: ["apps"], response }),
  "GET of an owner": (apps) => apps.request({ method: "GET", path: ["apps", "contoso"], response }),
  "GET of the user": (apps) => apps.request({ method: "GET", path: ["User", "metadata"], response }),
  "GET of a public path": (apps) => apps.request({ method: "GET", path: ["public", "status"], response }),
  "POST to a public path": (apps) => apps.request({ method: "POST", path: ["public", "status"], ...empty }),
  "GET of an unusual app": (apps) => apps.request({ method: "GET", path: ["apps", "contoso", "50% off"], response }),
  "GET with the scope of the app": (apps) =>
    apps.request({ method: "GET", path: ["orgs", "x"], response, scope: { action: "read", app: shop } }),
  "GET with the scope of the account": (apps) =>
    apps.request({ method: "GET", path: ["public"], response, scope: { action: "read" } }),
  "POST with the scope of reading the app": (apps) =>
    apps.request({
      method: "POST",
      path: ["apps", "contoso", "shop2"],
      ...empty,
      scope: { action: "read", app: shop },
    }),
  "DELETE of the app": (apps) => apps.request({ method: "DELETE", path: ["apps", "contoso", "shop"], response }),
  "POST to the app": (apps) => apps.request({ method: "POST", path: ["apps", "contoso", "shop"], ...empty }),
  "PUT to the app": (apps) => apps.request({ method: "PUT", path: ["apps", "contoso", "shop"], ...empty }),
  "PATCH of the app": (apps) => apps.request({ method: "PATCH", path: ["apps", "contoso", "shop"], ...empty }),
  "POST to another app": (apps) => apps.request({ method: "POST", path: ["apps", "contoso", "shop2"], ...empty }),
  "POST to the account": (apps) => apps.request({ method: "POST", path: ["apps"], ...empty }),
}

const secret = Redacted.make(canary)

const tokens = [
  ["without a description", secret, Object.keys(calls)],
  ["full user", ApiToken.user({ secret, access: "full" }), Object.keys(calls)],
  [
    "read-only user",
    ApiToken.user({ secret, access: "read-only" }),
    [
      "user",
      "apps",
      "GET of the app",
      "GET below the app",
      "GET of another app",
      "GET of the account",
      "GET of the root",
      "GET of all apps",
      "GET of an owner",
      "GET of the user",
      "GET of a public path",
      "POST to a public path",
      "GET of an unusual app",
      "GET with the scope of the app",
      "GET with the scope of the account",
      "POST with the scope of reading the app",
    ],
  ],
  [
    "full app",
    ApiToken.app({ secret, app: shop, access: "full" }),
    [
      "remove from the app",
      "remove from the app, in capitals",
      "GET of the app",
      "GET below the app",
      "GET of the root",
      "GET of a public path",
      "POST to a public path",
      "GET of an unusual app",
      "GET with the scope of the app",
      "POST with the scope of reading the app",
      "DELETE of the app",
      "POST to the app",
      "PUT to the app",
      "PATCH of the app",
    ],
  ],
  [
    "read-only app",
    ApiToken.app({ secret, app: shop, access: "read-only" }),
    [
      "GET of the app",
      "GET below the app",
      "GET of the root",
      "GET of a public path",
      "POST to a public path",
      "GET of an unusual app",
      "GET with the scope of the app",
      "POST with the scope of reading the app",
    ],
  ],
] as const

describe.each(tokens)("a token (%s)", (_, apiToken, allowed) => {
  it.scopedLive("sends only allowed calls", () =>
    Effect.gen(function* () {
      const sent = yield* Effect.forEach(Object.entries(calls), ([name, use]) =>
        Effect.map(runCall([Reply.json([])], use, { apiToken }), ({ result, requests }) => {
          if (requests.length > 0) return name
          expect(result, name).toMatchObject({ left: { _tag: "TokenScopeError" } })
          return undefined
        }),
      )
      expect(sent.filter((name) => name !== undefined)).toEqual(allowed)
    }).pipe(Effect.provide(anyLayer)),
  )
})

describe("TokenScopeError", () => {
  const messageOf = (
    token: ApiToken.Description,
    use: (apps: AppManagement.Service) => Effect.Effect<unknown, Error>,
  ) =>
    Effect.map(
      runCall([Reply.json({})], (apps) => Effect.flip(use(apps)), {
        apiToken: { ...token, secret: Redacted.make(secret) },
      }),
      ({ result, requests }) => {
        expect(requests).toEqual([])
        return result._tag === "Right" ? result.right.message : undefined
      },
    )

  it.scopedLive("names a sufficient token", () =>
    Effect.gen(function* () {
      expect(yield* messageOf({ kind: "app", app: shop, access: "full" }, (apps) => apps.user)).toBe(
        "AppManagement.user: a full-access app token of contoso/shop has no right to read the account. Use a read-only user token.",
      )
      expect(yield* messageOf({ kind: "app", app: shop, access: "read-only" }, (apps) => apps.apps)).toBe(
        "AppManagement.apps: a read-only app token of contoso/shop has no right to read the account. Use a read-only user token.",
      )
      expect(yield* messageOf({ kind: "app", app: shop, access: "full" }, (apps) => apps.removeUser(other, ada))).toBe(
        "AppManagement.removeUser: a full-access app token of contoso/shop has no right to change contoso/shop2. Use a full-access user token or a full-access app token of contoso/shop2.",
      )
      expect(
        yield* messageOf({ kind: "user", access: "read-only" }, (apps) =>
          apps.request({ method: "POST", path: ["apps"], ...empty, operation: "Apps.create" }),
        ),
      ).toBe("Apps.create: a read-only user token has no right to change the account. Use a full-access user token.")
      expect(
        yield* messageOf({ kind: "user", access: "read-only", name: "dashboard" }, (apps) =>
          apps.removeUser(shop, ada),
        ),
      ).toBe(
        `AppManagement.removeUser: a read-only user token ("dashboard") has no right to change contoso/shop. Use a full-access user token or a full-access app token of contoso/shop.`,
      )
    }).pipe(Effect.provide(anyLayer)),
  )

  it.scopedLive("contains the scope as data", () =>
    Effect.gen(function* () {
      const apiToken = ApiToken.user({ secret, access: "read-only", name: "dashboard" })
      const { result } = yield* runCall([Reply.empty(204)], (apps) => Effect.flip(apps.removeUser(shop, ada)), {
        apiToken,
      })
      const error = Either.getOrThrow(result)
      expect(error).toMatchObject({ operation: "AppManagement.removeUser", scope: { action: "change", app: shop } })
      // The error does not contain the secret, not even redacted.
      expect("token" in error && { ...error.token }).toEqual({ kind: "user", access: "read-only", name: "dashboard" })
    }).pipe(Effect.provide(anyLayer)),
  )
})
