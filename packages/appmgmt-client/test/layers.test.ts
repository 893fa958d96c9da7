/** The client as a layer: from the configuration, and with an in-memory service for the tests of applications. */
import { describe, expect, it } from "@effect/vitest"
import { AppManagement, AppName, Decoder, Email } from "@vigil/appmgmt-client"
import { Sandbox } from "@vigil/sandbox"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { FetchHttpClient } from "effect/http"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { ada, shop } from "./harness.js"

const configured = (values: Record<string, string>) =>
  Effect.flatMap(AppManagement.AppManagement, (apps) => apps.user).pipe(
    Effect.provide(Layer.provide(AppManagement.layerConfig(), FetchHttpClient.layer)),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(values)),
  )

describe("layerConfig", () => {
  it.live("reads its options from the configuration", () =>
    Effect.gen(function* () {
      const { apiToken, baseUrl } = yield* Sandbox.make()
      const values = { APPMGMT_BASE_URL: baseUrl, APPMGMT_API_TOKEN: Redacted.value(apiToken) }
      expect(yield* configured(values)).toMatchObject({ name: "ada" })
    }),
  )

  it.effect("fails if the token is missing, or would be sent over plain HTTP", () =>
    Effect.gen(function* () {
      const values = { APPMGMT_BASE_URL: "http://far.example" }
      expect(String(yield* Effect.flip(configured(values)))).toContain("APPMGMT_API_TOKEN")
      const error = yield* Effect.flip(configured({ ...values, APPMGMT_API_TOKEN: "token" }))
      expect(error).toMatchObject({ _tag: "InvalidBaseUrl", reason: "exposed" })
    }),
  )
})

const grace = Email.make("grace+o'x/y%@contoso.example")

const data = {
  user: { name: "ada", settings: { theme: "dark" } },
  apps: [{ name: "shop", owner: { name: "contoso" } }],
  users: { "contoso/shop": [ada, grace], "a b/ü+'": [grace] },
}

const using = (data?: AppManagement.TestData) =>
  Effect.provide(Effect.service(AppManagement.AppManagement), AppManagement.layerTest(data))

describe("layerTest", () => {
  it.effect("returns the profile and the apps of the data, and removes a user once, from one app only", () =>
    Effect.gen(function* () {
      const apps = yield* using(data)
      expect(yield* apps.user).toEqual(data.user)
      expect(yield* apps.apps).toEqual(data.apps)
      expect(yield* apps.removeUser(shop, grace)).toEqual({ _tag: "Removed" })
      expect(yield* Effect.flip(apps.removeUser(shop, grace))).toMatchObject({ _tag: "UserNotFound" })
      expect(yield* apps.removeUser(AppName.make("a b", "ü+'"), grace)).toEqual({ _tag: "Removed" })
      // Another test has its own data.
      expect(yield* (yield* using(data)).removeUser(shop, grace)).toEqual({ _tag: "Removed" })
    }),
  )

  it.effect("responds with 404 to anything else", () =>
    Effect.gen(function* () {
      const apps = yield* using()
      const send = { operation: "Other", decode: Decoder.ignore, url: "/v0.1/apps" }
      expect(yield* apps.apps).toEqual([])
      expect(yield* Effect.flip(apps.removeUser(shop, ada))).toMatchObject({ _tag: "AppNotFound" })
      for (const call of [
        apps.user,
        apps.request({ ...send, method: "GET", url: "/v0.1/orgs" }),
        apps.request({ ...send, method: "POST", body: {} }),
        apps.request({ ...send, method: "DELETE", url: "/v0.1/apps/contoso/shop/users" }),
      ]) {
        const detail = "The test data has no response for this request."
        expect(yield* Effect.flip(Effect.asVoid(call))).toMatchObject({ reason: { detail } })
      }
    }),
  )
})
