/** The app management API, declared for its OpenAPI document. What is served stands in `appmgmt/operations.ts`. */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as HttpApiSecurity from "@effect/platform/HttpApiSecurity"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { refusing, withComponents } from "./refusing.js"

/** The scheme by the name of the document ("Authentication"). */
class Token extends HttpApiMiddleware.Tag<Token>()("@vigil/sandbox/Token", {
  security: { APIToken: HttpApiSecurity.apiKey({ key: "X-API-Token" }) },
}) {}

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const Permissions = Schema.Array(Schema.Literal("manager", "developer", "viewer", "tester"))

const user = {
  id: Schema.String,
  name: Schema.String,
  display_name: Schema.String,
  email: Schema.String,
  origin: Schema.String,
  avatar_url: Schema.NullOr(Schema.String),
  can_change_password: Schema.Boolean,
  created_at: Schema.String,
}

const User = Schema.Struct({ ...user, permissions: optional(Permissions) }).annotations({ identifier: "User" })

const Member = Schema.Struct({ ...user, permissions: Permissions }).annotations({ identifier: "Member" })

const App = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  display_name: Schema.String,
  description: Schema.NullOr(Schema.String),
  os: Schema.String,
  platform: Schema.String,
  created_at: Schema.String,
  owner: Schema.Struct({
    id: Schema.String,
    name: Schema.String,
    type: Schema.Literal("user", "org"),
    display_name: Schema.String,
    email: optional(Schema.String),
  }),
}).annotations({ identifier: "App" })

const code = Schema.Union(Schema.String, Schema.Int)

const Refusal = Schema.Struct({
  message: optional(Schema.String),
  statusCode: optional(Schema.Int),
  code: optional(code),
  id: optional(Schema.String),
  error: optional(Schema.Struct({ code, message: Schema.String })),
}).annotations({ identifier: "Refusal", description: "In one of several forms: flat, nested, or a message alone." })

/** No token may do everything; some operations are refused for more than that. */
const refused = (...statuses: ReadonlyArray<number>) => refusing("Refusal", 401, 403, ...statuses)

const owner = HttpApiSchema.param("owner", Schema.String.annotations({ description: "A user or an organization" }))
const app = HttpApiSchema.param("app", Schema.String)
const email = HttpApiSchema.param("email", Schema.String.annotations({ description: "An e-mail address" }))

const users = HttpApiGroup.make("users").add(
  HttpApiEndpoint.get("user", "/v0.1/user")
    .addSuccess(User)
    .annotate(OpenApi.Summary, "The profile of the user that the token belongs to")
    .annotate(OpenApi.Transform, refused()),
)

const apps = HttpApiGroup.make("apps")
  .add(
    HttpApiEndpoint.get("list", "/v0.1/apps")
      .addSuccess(Schema.Array(App))
      .annotate(OpenApi.Summary, "The apps that the user belongs to")
      .annotate(OpenApi.Transform, refused()),
  )
  .add(
    HttpApiEndpoint.get("get")`/v0.1/apps/${owner}/${app}`
      .addSuccess(App)
      .annotate(OpenApi.Summary, "An app's basic information")
      .annotate(OpenApi.Transform, refused(404)),
  )
  .add(
    HttpApiEndpoint.patch("change")`/v0.1/apps/${owner}/${app}`
      .setPayload(
        Schema.Struct({ display_name: optional(Schema.String), description: optional(Schema.NullOr(Schema.String)) }),
      )
      .addSuccess(App)
      .annotate(OpenApi.Summary, "Changes how an app is shown")
      .annotate(OpenApi.Transform, refused(400, 404, 411)),
  )
  .add(
    HttpApiEndpoint.get("listUsers")`/v0.1/apps/${owner}/${app}/users`
      .addSuccess(Schema.Array(Member))
      .annotate(OpenApi.Summary, "The users of an app")
      .annotate(OpenApi.Transform, refused(404)),
  )
  .add(
    HttpApiEndpoint.post("addUser")`/v0.1/apps/${owner}/${app}/users`
      .setPayload(Schema.Struct({ user_email: Schema.String, permissions: Permissions }))
      .addSuccess(Member, { status: 201 })
      .annotate(OpenApi.Summary, "Adds a user to an app")
      .annotate(OpenApi.Transform, refused(400, 404, 409, 411)),
  )
  .add(
    HttpApiEndpoint.del("removeUser")`/v0.1/apps/${owner}/${app}/users/${email}`
      .addSuccess(HttpApiSchema.NoContent)
      .annotate(OpenApi.Summary, "Removes a user from an app")
      .annotate(OpenApi.Transform, refused(404, 409)),
  )

/** The API. */
export const make = () =>
  HttpApi.make("app-management")
    .add(users.middleware(Token))
    .add(apps.middleware(Token))
    .annotate(HttpApi.AdditionalSchemas, [Refusal])
    .annotate(OpenApi.Transform, withComponents())
    .annotate(OpenApi.Title, "App management")
    .annotate(OpenApi.Version, "v0.1")
