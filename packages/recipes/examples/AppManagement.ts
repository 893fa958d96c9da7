import * as Schema from "effect/Schema"
import {
  HttpApi,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiMiddleware,
  HttpApiSchema,
  HttpApiSecurity,
  OpenApi,
} from "effect/http-api"
// non-recursive definitions
export type User = {
  readonly id: string
  readonly name: string
  readonly display_name: string
  readonly email: string
  readonly origin: "mobile-center" | "appcenter" | "hockeyapp" | "codepush"
  readonly avatar_url: string | null
  readonly can_change_password: boolean
  readonly created_at: string
  readonly permissions?: ReadonlyArray<"manager" | "developer" | "viewer" | "tester">
  readonly [x: string]: Schema.Json
}
export const User = Schema.StructWithRest(
  Schema.Struct({
    id: Schema.String,
    name: Schema.String,
    display_name: Schema.String,
    email: Schema.String,
    origin: Schema.Literals(["mobile-center", "appcenter", "hockeyapp", "codepush"]),
    avatar_url: Schema.Union([Schema.String, Schema.Null]),
    can_change_password: Schema.Boolean,
    created_at: Schema.String,
    permissions: Schema.optionalKey(Schema.Array(Schema.Literals(["manager", "developer", "viewer", "tester"]))),
  }),
  [Schema.Record(Schema.String, Schema.Json.annotate({ expected: "JSON value" }))],
).annotate({ identifier: "User" })
export type Error = {
  readonly message?: string
  readonly statusCode?: number
  readonly code?: string | number
  readonly id?: string
  readonly error?: { readonly code: string | number; readonly message: string; readonly [x: string]: Schema.Json }
  readonly [x: string]: Schema.Json
}
export const Error = Schema.StructWithRest(
  Schema.Struct({
    message: Schema.optionalKey(Schema.String),
    statusCode: Schema.optionalKey(
      Schema.Number.check(Schema.isInt().annotate({ expected: "an integer" }))
        .check(
          Schema.isGreaterThanOrEqualTo(-9007199254740991).annotate({
            expected: "a value greater than or equal to -9007199254740991",
          }),
        )
        .check(
          Schema.isLessThanOrEqualTo(9007199254740991).annotate({
            expected: "a value less than or equal to 9007199254740991",
          }),
        ),
    ),
    code: Schema.optionalKey(
      Schema.Union([
        Schema.String,
        Schema.Number.check(Schema.isInt().annotate({ expected: "an integer" }))
          .check(
            Schema.isGreaterThanOrEqualTo(-9007199254740991).annotate({
              expected: "a value greater than or equal to -9007199254740991",
            }),
          )
          .check(
            Schema.isLessThanOrEqualTo(9007199254740991).annotate({
              expected: "a value less than or equal to 9007199254740991",
            }),
          ),
      ]),
    ),
    id: Schema.optionalKey(Schema.String),
    error: Schema.optionalKey(
      Schema.StructWithRest(
        Schema.Struct({
          code: Schema.Union([
            Schema.String,
            Schema.Number.check(Schema.isInt().annotate({ expected: "an integer" }))
              .check(
                Schema.isGreaterThanOrEqualTo(-9007199254740991).annotate({
                  expected: "a value greater than or equal to -9007199254740991",
                }),
              )
              .check(
                Schema.isLessThanOrEqualTo(9007199254740991).annotate({
                  expected: "a value less than or equal to 9007199254740991",
                }),
              ),
          ]),
          message: Schema.String,
        }),
        [Schema.Record(Schema.String, Schema.Json.annotate({ expected: "JSON value" }))],
      ),
    ),
  }),
  [Schema.Record(Schema.String, Schema.Json.annotate({ expected: "JSON value" }))],
).annotate({ description: "Flat, nested under `error`, or a message alone.", identifier: "Error" })
export type App = {
  readonly id: string
  readonly app_secret: null
  readonly name: string
  readonly display_name: string
  readonly description: string | null
  readonly os: string
  readonly platform: string
  readonly origin: "mobile-center" | "appcenter" | "hockeyapp" | "codepush"
  readonly created_at: string
  readonly owner: {
    readonly id: string
    readonly name: string
    readonly type: "user" | "org"
    readonly display_name: string
    readonly email?: string
    readonly [x: string]: Schema.Json
  }
  readonly [x: string]: Schema.Json
}
export const App = Schema.StructWithRest(
  Schema.Struct({
    id: Schema.String,
    app_secret: Schema.Null.annotate({ description: "Always null in the sandbox." }),
    name: Schema.String,
    display_name: Schema.String,
    description: Schema.Union([Schema.String, Schema.Null]),
    os: Schema.String,
    platform: Schema.String,
    origin: Schema.Literals(["mobile-center", "appcenter", "hockeyapp", "codepush"]),
    created_at: Schema.String,
    owner: Schema.StructWithRest(
      Schema.Struct({
        id: Schema.String,
        name: Schema.String,
        type: Schema.Literals(["user", "org"]),
        display_name: Schema.String,
        email: Schema.optionalKey(Schema.String),
      }),
      [Schema.Record(Schema.String, Schema.Json.annotate({ expected: "JSON value" }))],
    ),
  }),
  [Schema.Record(Schema.String, Schema.Json.annotate({ expected: "JSON value" }))],
).annotate({ identifier: "App" })
// schemas
export type GetUser200 = User
export const GetUser200 = User
export type GetUser401 = Error
export const GetUser401 = Error
export type GetUser403 = Error
export const GetUser403 = Error
export type ListApps200 = ReadonlyArray<App>
export const ListApps200 = Schema.Array(App)
export type ListApps401 = Error
export const ListApps401 = Error
export type ListApps403 = Error
export const ListApps403 = Error
export type GetAppPathParams = { readonly owner: string; readonly app: string }
export const GetAppPathParams = Schema.Struct({ owner: Schema.String, app: Schema.String })
export type GetApp200 = App
export const GetApp200 = App
export type GetApp401 = Error
export const GetApp401 = Error
export type GetApp403 = Error
export const GetApp403 = Error
export type GetApp404 = Error
export const GetApp404 = Error
export type RemoveAppUserPathParams = { readonly owner: string; readonly app: string; readonly email: string }
export const RemoveAppUserPathParams = Schema.Struct({ owner: Schema.String, app: Schema.String, email: Schema.String })
export type RemoveAppUser401 = Error
export const RemoveAppUser401 = Error
export type RemoveAppUser403 = Error
export const RemoveAppUser403 = Error
export type RemoveAppUser404 = Error
export const RemoveAppUser404 = Error
export type RemoveAppUser409 = Error
export const RemoveAppUser409 = Error

export const APITokenSecurity = HttpApiSecurity.apiKey({ key: "X-API-Token", in: "header" })

export class APITokenSecurityMiddleware extends HttpApiMiddleware.Service<APITokenSecurityMiddleware>()(
  "APIToken security",
  { security: { APIToken: APITokenSecurity } },
) {}

class UsersGroup extends HttpApiGroup.make("users")
  .add(
    HttpApiEndpoint.get("getUser", "/v0.1/user", {
      success: GetUser200,
      error: [GetUser401.pipe(HttpApiSchema.status(401)), GetUser403.pipe(HttpApiSchema.status(403))],
    })
      .middleware(APITokenSecurityMiddleware)
      .annotate(OpenApi.Identifier, "getUser")
      .annotate(OpenApi.Summary, "Get the profile")
      .annotate(OpenApi.Description, "The profile of the token's user. User tokens only."),
  )
  .annotate(OpenApi.Description, "The user of the token.") {}

class AppsGroup extends HttpApiGroup.make("apps")
  .add(
    HttpApiEndpoint.get("listApps", "/v0.1/apps", {
      success: ListApps200,
      error: [ListApps401.pipe(HttpApiSchema.status(401)), ListApps403.pipe(HttpApiSchema.status(403))],
    })
      .middleware(APITokenSecurityMiddleware)
      .annotate(OpenApi.Identifier, "listApps")
      .annotate(OpenApi.Summary, "List apps")
      .annotate(OpenApi.Description, "The apps of the token's user. User tokens only."),
    HttpApiEndpoint.get("getApp", "/v0.1/apps/:owner/:app", {
      params: GetAppPathParams,
      success: GetApp200,
      error: [
        GetApp401.pipe(HttpApiSchema.status(401)),
        GetApp403.pipe(HttpApiSchema.status(403)),
        GetApp404.pipe(HttpApiSchema.status(404)),
      ],
    })
      .middleware(APITokenSecurityMiddleware)
      .annotate(OpenApi.Identifier, "getApp")
      .annotate(OpenApi.Summary, "Get an app")
      .annotate(OpenApi.Description, "The basic information of an app. Requires the role tester."),
    HttpApiEndpoint.delete("removeAppUser", "/v0.1/apps/:owner/:app/users/:email", {
      params: RemoveAppUserPathParams,
      success: HttpApiSchema.Empty(204),
      error: [
        RemoveAppUser401.pipe(HttpApiSchema.status(401)),
        RemoveAppUser403.pipe(HttpApiSchema.status(403)),
        RemoveAppUser404.pipe(HttpApiSchema.status(404)),
        RemoveAppUser409.pipe(HttpApiSchema.status(409)),
      ],
    })
      .middleware(APITokenSecurityMiddleware)
      .annotate(OpenApi.Identifier, "removeAppUser")
      .annotate(OpenApi.Summary, "Remove a user from an app")
      .annotate(OpenApi.Description, "Removes a user from an app, by email address. Requires the role manager."),
  )
  .annotate(OpenApi.Description, "Apps, and the users of an app.") {}

export class AppManagement extends HttpApi.make("AppManagement")
  .annotate(OpenApi.Title, "App management")
  .annotate(OpenApi.Version, "v0.1")
  .annotate(
    OpenApi.Description,
    "A sandbox of the app management API: the profile of a user, apps, and the users of an app.",
  )
  .annotate(OpenApi.License, { name: "MIT", url: "https://opensource.org/license/mit" })
  .annotate(OpenApi.Servers, [])
  .add(UsersGroup, AppsGroup) {}
