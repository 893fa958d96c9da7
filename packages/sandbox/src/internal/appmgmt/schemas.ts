/** The request and response bodies of the app management API (field notes, "App management"). */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type * as Accounts from "../../Accounts.js"
import { origins, permissions } from "../accounts/model.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const Origin = Schema.Literal(...origins)

export const User = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  display_name: Schema.String,
  email: Schema.String,
  origin: Origin,
  avatar_url: Schema.NullOr(Schema.String),
  can_change_password: Schema.Boolean,
  created_at: Schema.String,
  permissions: optional(Schema.Array(Schema.Literal(...permissions))),
}).annotations({ identifier: "User" })

export const App = Schema.Struct({
  id: Schema.String,
  app_secret: Schema.Null.annotations({ description: "Always null in the sandbox." }),
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
    type: Schema.Literal("user", "org"),
    display_name: Schema.String,
    email: optional(Schema.String),
  }),
}).annotations({ identifier: "App" })

const code = Schema.Union(Schema.String, Schema.Int)

export const Failure = Schema.Struct({
  message: optional(Schema.String),
  statusCode: optional(Schema.Int),
  code: optional(code),
  id: optional(Schema.String),
  error: optional(Schema.Struct({ code, message: Schema.String })),
}).annotations({ identifier: "Error", description: "Flat, nested under `error`, or a message alone." })

const owner = ({ organizations, users }: Accounts.Accounts, { name, type }: Accounts.Owner) => {
  const user = users.find((user) => user.name === name)
  const found = user ?? organizations.find((organization) => organization.name === name)
  const email = user === undefined ? {} : { email: user.email }
  return { id: found?.id ?? "", name, type, display_name: found?.display_name ?? name, ...email }
}

export const fromApp = (accounts: Accounts.Accounts, app: Accounts.App): typeof App.Encoded => ({
  ...Struct.omit(app, "members", "owner"),
  app_secret: null,
  owner: owner(accounts, app.owner),
})
