/** The response bodies of the app management API (field notes, "App management"). */
import * as Schema from "effect/Schema"

export const Permission = Schema.Literals(["manager", "developer", "viewer", "tester"])

/** The system that created a user or an app (public API of App Center; the documents show no values). */
const Origin = Schema.Literals(["mobile-center", "appcenter", "hockeyapp", "codepush"])

export const User = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  display_name: Schema.String,
  email: Schema.String,
  origin: Origin,
  avatar_url: Schema.NullOr(Schema.String),
  can_change_password: Schema.Boolean,
  created_at: Schema.String,
  permissions: Schema.optionalKey(Schema.Array(Permission)),
}).annotate({ identifier: "User" })

export const App = Schema.Struct({
  id: Schema.String,
  app_secret: Schema.Null.annotate({ description: "Always null in the sandbox." }),
  name: Schema.String,
  display_name: Schema.String,
  description: Schema.NullOr(Schema.String),
  os: Schema.String,
  platform: Schema.String,
  origin: Origin,
  created_at: Schema.String,
  owner: Schema.Struct({
    id: Schema.String,
    name: Schema.String,
    type: Schema.Literals(["user", "org"]),
    display_name: Schema.String,
    email: Schema.optionalKey(Schema.String),
  }),
}).annotate({ identifier: "App" })

const code = Schema.Union([Schema.String, Schema.Int])

export const Failure = Schema.Struct({
  message: Schema.optionalKey(Schema.String),
  statusCode: Schema.optionalKey(Schema.Int),
  code: Schema.optionalKey(code),
  id: Schema.optionalKey(Schema.String),
  error: Schema.optionalKey(Schema.Struct({ code, message: Schema.String })),
}).annotate({ identifier: "Error", description: "Flat, nested under `error`, or a message alone." })
