/** The request and response bodies of the app management API (field notes, "App management"). */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type * as Accounts from "../../Accounts.js"
import { origins, permissions } from "../accounts/model.js"

const Permission = Schema.Literals(permissions)

const Origin = Schema.Literals(origins)

const user = {
  id: Schema.String,
  name: Schema.String,
  display_name: Schema.String,
  email: Schema.String,
  origin: Origin,
  avatar_url: Schema.NullOr(Schema.String),
  can_change_password: Schema.Boolean,
  created_at: Schema.String,
}

export const User = Schema.Struct({ ...user, permissions: Schema.optionalKey(Schema.Array(Permission)) }).annotate({
  identifier: "User",
})

export const Member = Schema.Struct({ ...user, permissions: Schema.Array(Permission) }).annotate({
  identifier: "Member",
})

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

export const AppChange = {
  schema: Schema.Struct({
    display_name: Schema.optionalKey(Schema.String),
    description: Schema.optionalKey(Schema.NullOr(Schema.String)),
  }).annotate({ identifier: "AppChange" }),
  example: '{"display_name": "…", "description": "…"}, or {}',
}

export const NewMember = {
  schema: Schema.Struct({ user_email: Schema.String, permissions: Schema.NonEmptyArray(Permission) }).annotate({
    identifier: "NewMember",
  }),
  example: '{"user_email": "…", "permissions": ["viewer"]}',
}

const code = Schema.Union([Schema.String, Schema.Int])

export const Failure = Schema.Struct({
  message: Schema.optionalKey(Schema.String),
  statusCode: Schema.optionalKey(Schema.Int),
  code: Schema.optionalKey(code),
  id: Schema.optionalKey(Schema.String),
  error: Schema.optionalKey(Schema.Struct({ code, message: Schema.String })),
}).annotate({ identifier: "Error", description: "Flat, nested under `error`, or a message alone." })

const owner = ({ organizations, users }: Accounts.Accounts, { name, type }: Accounts.Owner) => {
  const user = users.find((user) => user.name === name)
  const found = user ?? organizations.find((organization) => organization.name === name)
  const email = user === undefined ? {} : { email: user.email }
  return { id: found?.id ?? "", name, type, display_name: found?.display_name ?? name, ...email }
}

export const fromApp = (accounts: Accounts.Accounts, app: Accounts.App): typeof App.Encoded => ({
  ...Struct.omit(app, ["members", "owner"]),
  app_secret: null,
  owner: owner(accounts, app.owner),
})

export const fromMembers = (
  { users }: Accounts.Accounts,
  members: ReadonlyArray<Accounts.Member>,
): ReadonlyArray<typeof Member.Encoded> =>
  members.flatMap(({ permissions, user }) => {
    const found = users.find(({ name }) => name === user)
    return found === undefined ? [] : [{ ...found, permissions }]
  })
