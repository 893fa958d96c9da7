/** Invalid code, and the exact errors of each call; compiled, not run. */
import type { ApiToken, AppManagement, AppManagementError, AppName, Email, RequestError } from "@vigil/appmgmt-client"
import type * as Effect from "effect/Effect"
import type { HttpClient } from "effect/http"
import type * as Layer from "effect/Layer"
import { expectTypeOf, it } from "vitest"

type Service = AppManagement.AppManagement["Service"]

declare const service: Service
declare const name: AppName.AppName
declare const email: Email.Email

it("the errors of calls and layers are exact", () => {
  expectTypeOf<Effect.Error<Service["user"] | Service["apps"]>>().toEqualTypeOf<RequestError.RequestError>()
  expectTypeOf<Effect.Error<ReturnType<Service["removeUser"]>>>().toEqualTypeOf<AppManagementError.RemoveUserError>()
  type Configured = ReturnType<typeof AppManagement.layerConfig>
  expectTypeOf<Layer.Error<Configured>["_tag"]>().toEqualTypeOf<"ConfigError" | "InvalidSetting">()
  expectTypeOf<Layer.Services<Configured>>().toEqualTypeOf<HttpClient.HttpClient>()
})

it("invalid calls do not compile", () => {
  // @ts-expect-error -- a string is not an Email
  void service.removeUser(name, "ada@contoso.example")
  // @ts-expect-error -- a record is not an AppName
  void service.removeUser({ owner: "contoso", app: "shop" }, email)
  // @ts-expect-error -- an app token requires an app
  void ({ kind: "app", access: "full" } satisfies ApiToken.Description)
  // @ts-expect-error -- a token is a secret
  void ({ baseUrl: "https://apps.example", apiToken: "token" } satisfies AppManagement.Options)
})
