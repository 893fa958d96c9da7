/** The operations of the app management API: both its routes and its OpenAPI document. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Accounts from "../../Accounts.js"
import type { ErrorResponse } from "../errorResponse.js"
import * as operation from "../operation.js"
import type { Matched } from "../router.js"
import * as errors from "./errors.js"
import * as rights from "./rights.js"
import * as schemas from "./schemas.js"

interface Context {
  readonly accounts: Accounts.Accounts
  readonly change: (f: (accounts: Accounts.Accounts) => Accounts.Accounts) => Effect.Effect<void>
  readonly token: rights.Token
}

export const tags = {
  users: "The user of the token.",
  apps: "Apps, and the users of an app.",
}

export const commonErrors = [401, 403] as const

const makeForUsers = operation.maker<Context, (typeof commonErrors)[number]>("users")
const makeForApps = operation.maker<Context, (typeof commonErrors)[number]>("apps")

const hasEmail = (user: Accounts.User, email: string): boolean => user.email.toLowerCase() === email.toLowerCase()

const checkIsUser = ({ token }: Context) => (token.kind === "user" ? Effect.void : errors.forbidden)

const appOf = (
  { accounts, params, token }: Context & Pick<Matched, "params">,
  least: rights.Role,
): Effect.Effect<Accounts.App, ErrorResponse<403 | 404>> => {
  const name = `${params["owner"]}/${params["app"]}`
  const app = rights.appNamed(accounts, name)
  if (app === undefined) return errors.unknownApp(name)
  return rights.isAtLeast(rights.ofToken(accounts, token, app), least) ? Effect.succeed(app) : errors.forbidden
}

const showOwner = ({ organizations, users }: Accounts.Accounts, { name, type }: Accounts.Owner) => {
  const user = users.find((user) => user.name === name)
  const found = user ?? organizations.find((organization) => organization.name === name)
  const email = user === undefined ? {} : { email: user.email }
  return { id: found?.id ?? "", name, type, display_name: found?.display_name ?? name, ...email }
}

const show = (accounts: Accounts.Accounts, app: Accounts.App): typeof schemas.App.Encoded => ({
  ...Struct.omit(app, ["members", "owner"]),
  app_secret: null,
  owner: showOwner(accounts, app.owner),
})

/** `getUser` and `removeAppUser` are in the document, `listApps` in the field notes. `getApp` shows the rights of testers and of app tokens. */
export const operations = [
  makeForUsers({
    name: "getUser",
    summary: "Get the profile",
    description: "The profile of the token's user. User tokens only.",
    path: "/v0.1/user",
    success: schemas.User,
    handle: Effect.fnUntraced(function* (call) {
      yield* checkIsUser(call)
      const user = call.accounts.users.find(({ name }) => name === call.token.user)
      return user ?? (yield* errors.unauthorized)
    }),
  }),
  makeForApps({
    name: "listApps",
    summary: "List apps",
    description: "The apps of the token's user. User tokens only.",
    path: "/v0.1/apps",
    success: Schema.Array(schemas.App),
    handle: (call) =>
      Effect.as(
        checkIsUser(call),
        call.accounts.apps
          .filter((app) => rights.isAtLeast(rights.ofToken(call.accounts, call.token, app), "tester"))
          .map((app) => show(call.accounts, app)),
      ),
  }),
  makeForApps({
    name: "getApp",
    summary: "Get an app",
    description: "The basic information of an app. Requires the role tester.",
    path: "/v0.1/apps/:owner/:app",
    success: schemas.App,
    errors: [404],
    handle: (call) => Effect.map(appOf(call, "tester"), (app) => show(call.accounts, app)),
  }),
  makeForApps({
    name: "removeAppUser",
    summary: "Remove a user from an app",
    description: "Removes a user from an app, by email address. Requires the role manager.",
    method: "DELETE",
    path: "/v0.1/apps/:owner/:app/users/:email",
    status: 204,
    success: Schema.Undefined,
    errors: [404, 409],
    handle: Effect.fnUntraced(function* (call) {
      const app = yield* appOf(call, "manager")
      const email = call.params["email"] ?? ""
      const name = Accounts.fullName(app)
      const isMember = (user: Accounts.User) => app.members.some((member) => member.user === user.name)
      const user = call.accounts.users.find((user) => hasEmail(user, email) && isMember(user))
      if (user === undefined) return yield* errors.unknownMember(email, name)
      if (app.owner.name === user.name) return yield* errors.conflict("The owner of an app cannot be removed from it.")
      const remove = (other: Accounts.App): Accounts.App =>
        Accounts.fullName(other) === name
          ? { ...other, members: other.members.filter((member) => member.user !== user.name) }
          : other
      yield* call.change((old) => ({ ...old, apps: old.apps.map(remove) }))
      return undefined
    }),
  }),
]
