import { FetchHttpClient, HttpClient, HttpClientResponse } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { AppManagement } from "@vigil/appmgmt-client"
import { Sandbox } from "@vigil/sandbox"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

const canary = "canary-91be"

/** Calls `user` with a service that sends this response. */
const user = (body: unknown, status = 200) => {
  const http = HttpClient.make((request) =>
    Effect.succeed(HttpClientResponse.fromWeb(request, Response.json(body, { status }))),
  )
  return Effect.flatMap(
    AppManagement.make({ baseUrl: "https://apps.example", apiToken: Redacted.make(canary) }),
    (apps) => apps.user,
  ).pipe(Effect.provideService(HttpClient.HttpClient, http))
}

describe("user", () => {
  it.live("is the profile of the token's user, over a real socket", () =>
    Effect.gen(function* () {
      const apps = yield* AppManagement.make(yield* Sandbox.make())
      expect(yield* apps.user).toMatchObject({ name: "ada", avatar_url: null, created_at: "2023-05-09T21:07:38.069Z" })
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )

  it.effect("keeps unknown fields", () =>
    Effect.gen(function* () {
      const body = { name: "ada", avatar_url: null, settings: { theme: "dark" } }
      expect(yield* user(body)).toEqual(body)
    }),
  )

  it.effect.each([[[]], ["ada"], [{ name: 7 }], [{ permissions: "manager" }]] as const)(
    "fails with a DecodeError if the response is %j",
    ([body]) =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(user(body))).toMatchObject({ _tag: "DecodeError", operation: "AppManagement.user" })
      }),
  )
})

describe("the layer", () => {
  const configured = (values: Record<string, string>) =>
    Effect.flatMap(AppManagement.AppManagement, (apps) => apps.user).pipe(
      Effect.provide(Layer.provide(AppManagement.layerConfig(), FetchHttpClient.layer)),
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(values)),
    )

  it.live("reads its options from the configuration", () =>
    Effect.gen(function* () {
      const { apiToken, baseUrl } = yield* Sandbox.make()
      const values = { APPMGMT_BASE_URL: baseUrl, APPMGMT_API_TOKEN: Redacted.value(apiToken) }
      expect(yield* configured(values)).toMatchObject({ name: "ada" })
    }),
  )

  it.effect("fails for a base URL that would send the token over plain HTTP", () =>
    Effect.gen(function* () {
      const values = { APPMGMT_BASE_URL: "http://far.example", APPMGMT_API_TOKEN: canary }
      expect(yield* Effect.flip(configured(values))).toMatchObject({ _tag: "CredentialError", reason: "exposed" })
    }),
  )
})
