/** Compile-time tests: invalid code, and the exact errors of each call. */
import type { HttpClient } from "@effect/platform"
import {
  ApiToken,
  type App,
  type AppManagement,
  type AppManagementError,
  type AppName,
  type Email,
  type Removal,
  type TokenFile,
  type User,
} from "@vigil/appmgmt-client"
import type * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Match from "effect/Match"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { describe, expectTypeOf, it } from "vitest"

type Service = Context.Tag.Service<AppManagement.AppManagement>
type ErrorOf<A> = A extends Effect.Effect<unknown, infer E, unknown> ? E : never
type Tag<E> = E extends { readonly _tag: infer T } ? T : never

type CallTag =
  | "BodyTooLarge"
  | "CredentialError"
  | "DecodeError"
  | "Forbidden"
  | "LengthRequired"
  | "LinkRefused"
  | "NotFound"
  | "RateLimited"
  | "RedirectRefused"
  | "ServiceError"
  | "TimeoutError"
  | "TokenScopeError"
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
    LengthRequired: () => "LengthRequired" as const,
    LinkRefused: () => "LinkRefused" as const,
    RateLimited: () => "RateLimited" as const,
    RedirectRefused: () => "RedirectRefused" as const,
    ServiceError: () => "ServiceError" as const,
    TimeoutError: () => "TimeoutError" as const,
    TokenScopeError: () => "TokenScopeError" as const,
    TransportError: () => "TransportError" as const,
    Unauthorized: () => "Unauthorized" as const,
    UserNotFound: () => "UserNotFound" as const,
  }),
  Match.exhaustive,
)

describe("the errors", () => {
  it("of calls are exact, and calls have no requirements", () => {
    expectTypeOf<Service["user"]>().toEqualTypeOf<Effect.Effect<User.User, AppManagementError.CallError>>()
    expectTypeOf<Service["apps"]>().toEqualTypeOf<Effect.Effect<ReadonlyArray<App.App>, AppManagementError.CallError>>()
    expectTypeOf<ReturnType<Service["removeUser"]>>().toEqualTypeOf<
      Effect.Effect<Removal.Removal, AppManagementError.RemoveUserError>
    >()
    expectTypeOf<Tag<ErrorOf<Service["user"]>>>().toEqualTypeOf<CallTag>()
    expectTypeOf<Tag<ErrorOf<Service["apps"]>>>().toEqualTypeOf<CallTag>()
    expectTypeOf<Tag<ErrorOf<ReturnType<Service["removeUser"]>>>>().toEqualTypeOf<
      Exclude<CallTag, "NotFound"> | "AppNotFound" | "AppOrUserNotFound" | "UserNotFound"
    >()
    expectTypeOf<Tag<ErrorOf<ReturnType<Service["request"]>>>>().toEqualTypeOf<
      CallTag | "InvalidBody" | "InvalidPath"
    >()
    expectTypeOf<ReturnType<typeof removalTag>>().toEqualTypeOf<AppManagementError.RemoveUserError["_tag"]>()
  })

  it("of layers are exact, and layers require an HttpClient, except in tests", () => {
    type Made = "CredentialError" | "InvalidBaseUrl" | "InvalidSetting"
    type Plain = ReturnType<typeof AppManagement.layer>
    type Configured = ReturnType<typeof AppManagement.layerConfig>
    expectTypeOf<Layer.Layer.Success<Plain>>().toEqualTypeOf<AppManagement.AppManagement>()
    expectTypeOf<Layer.Layer.Error<Plain>["_tag"]>().toEqualTypeOf<Made>()
    expectTypeOf<Layer.Layer.Context<Plain>>().toEqualTypeOf<HttpClient.HttpClient>()
    expectTypeOf<Layer.Layer.Error<Configured>["_tag"]>().toEqualTypeOf<Made | "ConfigError">()
    expectTypeOf<Layer.Layer.Context<Configured>>().toEqualTypeOf<HttpClient.HttpClient>()
    expectTypeOf<ReturnType<typeof AppManagement.layerTest>>().toEqualTypeOf<Layer.Layer<AppManagement.AppManagement>>()
  })

  it("of reading a token file are TokenFileError, and the token is a valid `apiToken`", () => {
    type Read = ReturnType<typeof TokenFile.read>
    expectTypeOf<ErrorOf<Read>>().toEqualTypeOf<TokenFile.TokenFileError>()
    expectTypeOf<Effect.Effect.Success<Read>>().toExtend<AppManagement.Options["apiToken"]>()
  })
})

describe("a custom request", () => {
  const path = ["apps"]
  const response = Schema.Struct({ ok: Schema.Boolean })

  it("returns the decoded response, and has no requirements", () => {
    const use = () => {
      expectTypeOf(service.request({ method: "GET", path, response: Schema.DateFromString })).toEqualTypeOf<
        Effect.Effect<Date, AppManagementError.CustomError>
      >()
      expectTypeOf(
        service.request({
          method: "POST",
          path,
          request: Schema.Struct({ at: Schema.Date }),
          body: { at: new Date() },
          response,
        }),
      ).toEqualTypeOf<Effect.Effect<{ readonly ok: boolean }, AppManagementError.CustomError>>()
      expectTypeOf(
        service.request({ method: "PUT", path, request: Schema.Void, body: undefined, response: Schema.Void }),
      ).toEqualTypeOf<Effect.Effect<void, AppManagementError.CustomError>>()
    }
    expectTypeOf(use).toBeFunction()
  })

  it("has a body exactly if its method has one", () => {
    const request = Schema.Struct({ name: Schema.String })
    const body = { name: "x" }
    const use = () => {
      // @ts-expect-error -- a POST requires a body
      service.request({ method: "POST", path, response })
      // @ts-expect-error -- a PUT requires a body
      service.request({ method: "PUT", path, response })
      // @ts-expect-error -- a PATCH requires a body
      service.request({ method: "PATCH", path, response })
      // @ts-expect-error -- a schema requires a body
      service.request({ method: "POST", path, response, request })
      // @ts-expect-error -- a body requires a schema
      service.request({ method: "POST", path, response, body })
      // @ts-expect-error -- a body must match its schema
      service.request({ method: "POST", path, response, request, body: { name: 7 } })
      // @ts-expect-error -- undefined does not match this schema
      service.request({ method: "POST", path, response, request, body: undefined })
      // @ts-expect-error -- a GET has no body
      service.request({ method: "GET", path, response, request, body })
      // @ts-expect-error -- a DELETE has no body
      service.request({ method: "DELETE", path, response, request, body })
      // @ts-expect-error -- a GET has no body, not even an empty one
      service.request({ method: "GET", path, response, body: {} })
      // @ts-expect-error -- a scope requires an AppName
      service.request({ method: "GET", path, response, scope: { action: "read", app: "contoso/shop" } })
      // @ts-expect-error -- the method is not supported
      service.request({ method: "HEAD", path, response })
    }
    expectTypeOf(use).toBeFunction()
  })

  it("has schemas without requirements, and a body that JSON can represent", () => {
    interface Needed {
      readonly needed: true
    }
    const needy = (): Schema.Schema<string, string, Needed> =>
      Schema.declare((text): text is string => typeof text === "string")
    const map = Schema.MapFromSelf({ key: Schema.String, value: Schema.String })
    const use = () => {
      // @ts-expect-error -- the response schema has requirements
      service.request({ method: "GET", path, response: needy() })
      // @ts-expect-error -- the body schema has requirements
      service.request({ method: "POST", path, response, request: needy(), body: "x" })
      // @ts-expect-error -- JSON cannot represent a Map
      service.request({ method: "POST", path, response, request: map, body: new Map() })
      // @ts-expect-error -- JSON cannot represent a bigint
      service.request({ method: "POST", path, response, request: Schema.BigIntFromSelf, body: 1n })
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
      // @ts-expect-error -- an app token requires an app
      const token: ApiToken.Description = { kind: "app", access: "full" }
      return token
    }
    expectTypeOf(use).toBeFunction()
  })
})

describe("the API token", () => {
  it("is a secret, or a described secret", () => {
    type Option = AppManagement.Options["apiToken"]
    expectTypeOf<Redacted.Redacted>().toExtend<Option>()
    expectTypeOf<Effect.Effect<Redacted.Redacted, Error>>().toExtend<Option>()
    expectTypeOf<ReturnType<typeof ApiToken.user>>().toExtend<Option>()
    expectTypeOf<ReturnType<typeof ApiToken.app>>().toExtend<Option>()
    expectTypeOf<ApiToken.Description>().not.toExtend<Option>()
    expectTypeOf<string>().not.toExtend<Option>()
    const use = (secret: Redacted.Redacted) => {
      // @ts-expect-error -- an app token is for one app
      void ApiToken.app({ secret, access: "full" })
      // @ts-expect-error -- a secret must be redacted
      void ApiToken.user({ secret: "text", access: "full" })
      // @ts-expect-error -- `user` and `app` make tokens, with a redacted effect
      const token: ApiToken.ApiToken = { kind: "user", access: "full", secret }
      return token
    }
    expectTypeOf(use).toBeFunction()
  })
})
