/** The operations of the app management API: both its routes and its OpenAPI document. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Accounts from "../../Accounts.js"
import type { Token } from "../../Tokens.js"
import type { ErrorResponse } from "../errorResponse.js"
import * as operation from "../operation.js"
import type { Matched } from "../router.js"
import * as errors from "./errors.js"
import * as rights from "./rights.js"
import * as schemas from "./schemas.js"

interface Context {
  readonly accounts: Accounts.Accounts
  readonly change: (f: (accounts: Accounts.Accounts) => Accounts.Accounts) => Effect.Effect<void>
  readonly token: Token
}

export const tags = {
  users: "The user of the token.",
  apps: "Apps, and the users of an app.",
}

export const commonErrors = [401, 403] as const

const bodyErrors = [400, 411, 413] as const

const makeForUsers = operation.maker<Context, (typeof commonErrors)[number]>("users", errors.invalidBody)
const makeForApps = operation.maker<Context, (typeof commonErrors)[number]>("apps", errors.invalidBody)

const hasEmail = (user: Accounts.User, email: string): boolean => user.email.toLowerCase() === email.toLowerCase()

const checkRight = ({ token }: Context, operation: rights.Operation) =>
  rights.allowed(token, "none", operation) ? Effect.void : errors.forbidden

const appOf = (
  { accounts, params, token }: Context & Pick<Matched, "params">,
  operation: rights.Operation,
): Effect.Effect<Accounts.App, ErrorResponse<403 | 404>> => {
  const name = `${params["owner"]}/${params["app"]}`
  const app = rights.appNamed(accounts, name)
  if (app === undefined) return errors.unknownApp(name)
  return rights.allowed(token, rights.ofToken(accounts, token, app), operation) ? Effect.succeed(app) : errors.forbidden
}

/** Only `getUser` and `removeAppUser` are in the document, and `listApps` in the field notes. The others are for tests of rights. */
export const operations = [
  makeForUsers({
    name: "getUser",
    summary: "Get the profile",
    description: "The profile of the token's user. User tokens only.",
    path: "/v0.1/user",
    success: schemas.User,
    handle: Effect.fnUntraced(function* (call) {
      yield* checkRight(call, "readUser")
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
        checkRight(call, "listApps"),
        call.accounts.apps
          .filter((app) => rights.allowed(call.token, rights.ofToken(call.accounts, call.token, app), "readApp"))
          .map((app) => schemas.fromApp(call.accounts, app)),
      ),
  }),
  makeForApps({
    name: "getApp",
    summary: "Get an app",
    description: "The basic information of an app. Requires the role tester.",
    path: "/v0.1/apps/:owner/:app",
    success: schemas.App,
    errors: [404],
    handle: (call) => Effect.map(appOf(call, "readApp"), (app) => schemas.fromApp(call.accounts, app)),
  }),
  makeForApps({
    name: "changeApp",
    summary: "Change an app",
    description: "Changes how an app is shown. Requires the role manager.",
    method: "PATCH",
    path: "/v0.1/apps/:owner/:app",
    body: schemas.AppChange,
    success: schemas.App,
    errors: [...bodyErrors, 404],
    handle: Effect.fnUntraced(function* (call) {
      const app = yield* appOf(call, "changeApp")
      const changed = { ...app, ...(yield* call.body) }
      yield* call.change(Accounts.putApp(changed))
      return schemas.fromApp(call.accounts, changed)
    }),
  }),
  makeForApps({
    name: "listAppUsers",
    summary: "List the users of an app",
    description: "The users of an app, with their permissions. Requires the role viewer.",
    path: "/v0.1/apps/:owner/:app/users",
    success: Schema.Array(schemas.Member),
    errors: [404],
    handle: (call) =>
      Effect.map(appOf(call, "listMembers"), ({ members }) => schemas.fromMembers(call.accounts, members)),
  }),
  makeForApps({
    name: "addAppUser",
    summary: "Add a user to an app",
    description: "Adds a user to an app, by email address. Requires the role manager.",
    method: "POST",
    path: "/v0.1/apps/:owner/:app/users",
    body: schemas.NewMember,
    status: 201,
    success: schemas.Member,
    errors: [...bodyErrors, 404, 409],
    handle: Effect.fnUntraced(function* (call) {
      const app = yield* appOf(call, "addMember")
      const { permissions, user_email } = yield* call.body
      const user = call.accounts.users.find((user) => hasEmail(user, user_email))
      if (user === undefined) return yield* errors.unknownAccount(user_email)
      if (app.members.some((member) => member.user === user.name))
        return yield* errors.conflict("The user is already a member of the app.")
      yield* call.change(Accounts.putMember(Accounts.fullName(app), { user: user.name, permissions }))
      return { ...user, permissions }
    }),
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
      const app = yield* appOf(call, "removeMember")
      const email = call.params["email"] ?? ""
      const name = Accounts.fullName(app)
      const isMember = (user: Accounts.User) => app.members.some((member) => member.user === user.name)
      const user = call.accounts.users.find((user) => hasEmail(user, email) && isMember(user))
      if (user === undefined) return yield* errors.unknownMember(email, name)
      if (app.owner.name === user.name) return yield* errors.conflict("The owner of an app cannot be removed from it.")
      yield* call.change(Accounts.removeMember(name, user.name))
      return undefined
    }),
  }),
]
