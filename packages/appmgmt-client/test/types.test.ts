/** Compile-time tests: invalid code, and the exact errors of each call. */
import type { HttpClient } from "effect/http"
import {
  type ApiToken,
  type App,
  type AppManagement,
  type AppManagementError,
  type AppName,
  type Email,
  type HttpError,
  type Removal,
  type RequestError,
  type ServiceError,
  type SettingsError,
  type User,
} from "@vigil/appmgmt-client"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Match from "effect/Match"
import type * as Redacted from "effect/Redacted"
import { describe, expectTypeOf, it } from "vitest"

type Service = AppManagement.AppManagement["Service"]
type ErrorOf<A> = A extends Effect.Effect<unknown, infer E, unknown> ? E : never
type Tag<E> = E extends { readonly _tag: infer T } ? T : never

type CallTag =
  | "BodyTooLarge"
  | "CredentialError"
  | "DecodeError"
  | "Forbidden"
  | "LinkRefused"
  | "NotFound"
  | "RateLimited"
  | "RedirectRefused"
  | "ServiceError"
  | "TimeoutError"
  | "TransportError"
  | "Unauthorized"

declare const service: Service
declare const name: AppName.AppName
declare const email: Email.Email

/** Matches every error of a removal: another error would not compile. */
const removalTag = Match.type<AppManagementError.RemoveUserError>().pipe(
  Match.tags({
    AppNotFound: () => "AppNotFound" as const,
    AppOrUserNotFound: () => "AppOrUserNotFound" as const,
    BodyTooLarge: () => "BodyTooLarge" as const,
    CredentialError: () => "CredentialError" as const,
    DecodeError: () => "DecodeError" as const,
    Forbidden: () => "Forbidden" as const,
    LinkRefused: () => "LinkRefused" as const,
    RateLimited: () => "RateLimited" as const,
    RedirectRefused: () => "RedirectRefused" as const,
    ServiceError: () => "ServiceError" as const,
    TimeoutError: () => "TimeoutError" as const,
    TransportError: () => "TransportError" as const,
    Unauthorized: () => "Unauthorized" as const,
    UserNotFound: () => "UserNotFound" as const,
  }),
  Match.exhaustive,
)

describe("the errors", () => {
  it("of calls are exact, and calls have no requirements", () => {
    expectTypeOf<Service["user"]>().toEqualTypeOf<Effect.Effect<User.User, RequestError.RequestError>>()
    expectTypeOf<Service["apps"]>().toEqualTypeOf<Effect.Effect<ReadonlyArray<App.App>, RequestError.RequestError>>()
    expectTypeOf<ReturnType<Service["removeUser"]>>().toEqualTypeOf<
      Effect.Effect<Removal.Removal, AppManagementError.RemoveUserError>
    >()
    expectTypeOf<Tag<ErrorOf<Service["user"]>>>().toEqualTypeOf<CallTag>()
    expectTypeOf<Tag<ErrorOf<Service["apps"]>>>().toEqualTypeOf<CallTag>()
    expectTypeOf<Tag<ErrorOf<ReturnType<Service["removeUser"]>>>>().toEqualTypeOf<
      Exclude<CallTag, "NotFound"> | "AppNotFound" | "AppOrUserNotFound" | "UserNotFound"
    >()
    expectTypeOf<Tag<ErrorOf<ReturnType<Service["request"]>>>>().toEqualTypeOf<CallTag>()
    expectTypeOf<ReturnType<typeof removalTag>>().toEqualTypeOf<AppManagementError.RemoveUserError["_tag"]>()
  })

  it("of layers are exact, and layers require an HttpClient, except in tests", () => {
    type Made = "CredentialError" | "InvalidBaseUrl" | "InvalidSetting"
    type Plain = ReturnType<typeof AppManagement.layer>
    type Configured = ReturnType<typeof AppManagement.layerConfig>
    expectTypeOf<Layer.Success<Plain>>().toEqualTypeOf<AppManagement.AppManagement>()
    expectTypeOf<Layer.Error<Plain>["_tag"]>().toEqualTypeOf<Made>()
    expectTypeOf<Layer.Services<Plain>>().toEqualTypeOf<HttpClient.HttpClient>()
    expectTypeOf<Layer.Error<Configured>["_tag"]>().toEqualTypeOf<Made | "ConfigError">()
    expectTypeOf<Layer.Services<Configured>>().toEqualTypeOf<HttpClient.HttpClient>()
    expectTypeOf<ReturnType<typeof AppManagement.layerTest>>().toEqualTypeOf<Layer.Layer<AppManagement.AppManagement>>()
  })
})

/** The instances of the classes of a module. */
type Instances<M> = { [K in keyof M]: M[K] extends new (...args: never) => infer E ? E : never }[keyof M]

describe("the error classes", () => {
  it("are exported for all errors of calls and layers", () => {
    type Exported =
      | Instances<typeof AppManagementError>
      | Instances<typeof HttpError>
      | Instances<typeof ServiceError>
      | Instances<typeof SettingsError>
    type Failure =
      | AppManagementError.RemoveUserError
      | RequestError.RequestError
      | Layer.Error<ReturnType<typeof AppManagement.layer>>
    expectTypeOf<Exclude<Failure, Exported>>().toEqualTypeOf<never>()
  })
})

describe("a custom request", () => {
  const common = { operation: "Custom", url: "/v0.1/apps", decode: Effect.succeed }

  it("has a body exactly if its method has one", () => {
    const use = () => {
      // @ts-expect-error -- a POST requires a body
      service.request({ ...common, method: "POST" })
      // @ts-expect-error -- a PATCH requires a body
      service.request({ ...common, method: "PATCH" })
      // @ts-expect-error -- a GET has no body, not even an empty one
      service.request({ ...common, method: "GET", body: {} })
    }
    expectTypeOf(use).toBeFunction()
  })
})

describe("names and email addresses", () => {
  it("must be checked before use", () => {
    const use = () => {
      // @ts-expect-error -- a string is not an Email
      void service.removeUser(name, "ada@contoso.example")
      // @ts-expect-error -- a record is not an AppName
      void service.removeUser({ owner: "contoso", app: "shop" }, email)
      // @ts-expect-error -- an AppName is not an Email
      void service.removeUser(email, name)
    }
    expectTypeOf(use).toBeFunction()
  })
})

describe("the API token", () => {
  it("is a secret", () => {
    type Option = AppManagement.Options["apiToken"]
    expectTypeOf<Redacted.Redacted>().toExtend<Option>()
    expectTypeOf<Effect.Effect<Redacted.Redacted, Error>>().toExtend<Option>()
    expectTypeOf<string>().not.toExtend<Option>()
    // @ts-expect-error -- an app token requires an app
    const token: ApiToken.Description = { kind: "app", access: "full" }
    expectTypeOf(token).not.toExtend<Option>()
  })
})
