/** The client as a layer: from the configuration, and with an in-memory service for the tests of applications. */
import { expect, it } from "@effect/vitest"
import { AppManagement, AppName } from "@vigil/appmgmt-client"
import { Sandbox } from "@vigil/sandbox"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { FetchHttpClient } from "effect/http"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { ada, shop } from "./harness.js"

it.live("layerConfig reads its options from the configuration, and fails for a missing or exposed token", () =>
  Effect.gen(function* () {
    const configured = (values: Record<string, string>) =>
      Effect.flatMap(AppManagement.AppManagement, (apps) => apps.user).pipe(
        Effect.provide(Layer.provide(AppManagement.layerConfig(), FetchHttpClient.layer)),
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(values)),
      )
    const { apiToken, baseUrl } = yield* Sandbox.make()
    const values = { APPMGMT_BASE_URL: baseUrl, APPMGMT_API_TOKEN: Redacted.value(apiToken) }
    expect(yield* configured(values)).toMatchObject({ name: "ada" })
    expect(String(yield* Effect.flip(configured({ APPMGMT_BASE_URL: baseUrl })))).toContain("APPMGMT_API_TOKEN")
    const error = yield* Effect.flip(configured({ ...values, APPMGMT_BASE_URL: "http://far.example" }))
    expect(error).toMatchObject({ _tag: "InvalidSetting", setting: "baseUrl" })
  }),
)

const data = {
  user: { name: "ada", settings: { theme: "dark" } },
  apps: [{ name: "shop", owner: { name: "contoso" } }],
  users: { "contoso/shop": [ada], "a b/ü+'": [ada] },
}

const using = <A, E>(use: (apps: AppManagement.Service) => Effect.Effect<A, E>, data?: AppManagement.TestData) =>
  Effect.provide(Effect.flatMap(AppManagement.AppManagement, use), AppManagement.layerTest(data))

// Twice, because tests share no state.
it.effect.each([1, 2])("layerTest has the data, and removes a user once, from one app only (%i)", () =>
  using(
    (apps) =>
      Effect.gen(function* () {
        expect([yield* apps.user, yield* apps.apps]).toEqual([data.user, data.apps])
        expect(yield* apps.removeUser(shop, ada)).toEqual({ _tag: "Removed" })
        expect(yield* Effect.flip(apps.removeUser(shop, ada))).toMatchObject({ reason: { _tag: "UserNotFound" } })
        expect(yield* apps.removeUser(AppName.make("a b", "ü+'"), ada)).toEqual({ _tag: "Removed" })
      }),
    data,
  ),
)

it.effect("layerTest responds with 404 to anything else", () =>
  using((apps) =>
    Effect.gen(function* () {
      expect(yield* apps.apps).toEqual([])
      expect(yield* Effect.flip(apps.removeUser(shop, ada))).toMatchObject({ reason: { _tag: "AppNotFound" } })
      for (const call of [
        Effect.asVoid(apps.user),
        Effect.asVoid(apps.httpClient.get("/v0.1/orgs")),
        Effect.asVoid(apps.httpClient.post("/v0.1/apps")),
        Effect.asVoid(apps.httpClient.del("/v0.1/apps/contoso/shop/users")),
      ])
        expect(yield* Effect.flip(call)).toMatchObject({ reason: { _tag: "NotFound", code: "NotFound" } })
    }),
  ),
)
