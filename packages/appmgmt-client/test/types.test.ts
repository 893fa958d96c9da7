/** Compile-time tests: invalid code, and the exact errors of each call. */
import type { ApiToken, AppManagement, AppManagementError, AppName, Email, RequestError } from "@vigil/appmgmt-client"
import type { HttpClient } from "effect/http"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { expectTypeOf, it } from "vitest"

type Service = AppManagement.AppManagement["Service"]

declare const service: Service
declare const name: AppName.AppName
declare const email: Email.Email

it("the errors of calls and layers are exact", () => {
  expectTypeOf<Effect.Error<ReturnType<Service["removeUser"]>>>().toEqualTypeOf<
    | RequestError.RequestError
    | AppManagementError.AppNotFound
    | AppManagementError.AppOrUserNotFound
    | AppManagementError.UserNotFound
  >()
  expectTypeOf<Effect.Error<Service["user"] | Service["apps"]>>().toEqualTypeOf<RequestError.RequestError>()
  type Configured = ReturnType<typeof AppManagement.layerConfig>
  expectTypeOf<Layer.Error<Configured>["_tag"]>().toEqualTypeOf<"ConfigError" | "InvalidBaseUrl" | "InvalidSetting">()
  expectTypeOf<Layer.Services<Configured>>().toEqualTypeOf<HttpClient.HttpClient>()
  expectTypeOf<ReturnType<typeof AppManagement.layerTest>>().toEqualTypeOf<Layer.Layer<AppManagement.AppManagement>>()
})

it("invalid calls do not compile", () => {
  const common = { operation: "Custom", url: "/v0.1/apps", decode: Effect.succeed }
  const use = () => {
    // @ts-expect-error -- a POST requires a body
    void service.request({ ...common, method: "POST" })
    // @ts-expect-error -- a GET has no body, not even an empty one
    void service.request({ ...common, method: "GET", body: {} })
    // @ts-expect-error -- a string is not an Email
    void service.removeUser(name, "ada@contoso.example")
    // @ts-expect-error -- a record is not an AppName
    void service.removeUser({ owner: "contoso", app: "shop" }, email)
    // @ts-expect-error -- an app token requires an app
    const token: ApiToken.Description = { kind: "app", access: "full" }
    return token
  }
  expectTypeOf(use).toBeFunction()
})

it("the API token is a secret", () => {
  type Option = AppManagement.Options["apiToken"]
  expectTypeOf<Redacted.Redacted | Effect.Effect<Redacted.Redacted, Error>>().toExtend<Option>()
  expectTypeOf<string>().not.toExtend<Option>()
})
