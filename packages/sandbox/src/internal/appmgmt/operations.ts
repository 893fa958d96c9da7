/** The operations of the app management API: its router and its OpenAPI document are made of them. */
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

/** What every operation is answered from. */
interface Context {
  readonly accounts: Accounts.Accounts
  readonly change: (f: (accounts: Accounts.Accounts) => Accounts.Accounts) => Effect.Effect<void>
  readonly token: Token
}

/** The tags of the document. */
export const tags = {
  users: "The user that a token belongs to.",
  apps: "Apps, and the users of an app.",
}

/** The status codes that every operation may be refused with. */
export const commonErrors = [401, 403] as const

/** Those of operations with a body. */
const bodyErrors = [400, 411, 413] as const

const make = operation.maker<Context, (typeof commonErrors)[number]>(errors.invalidBody)

/** Email addresses are compared without regard to letter case. */
const has =
  (email: string) =>
  (user: Accounts.User): boolean =>
    user.email.toLowerCase() === email.toLowerCase()

/** Checks the right to an operation that concerns no app. */
const allowed = ({ token }: Context, operation: rights.Operation) =>
  rights.allowed(token, "none", operation) ? Effect.void : errors.forbidden

/** The app of the path, once the token's right to the operation is checked. */
const appOf = (
  { accounts, params, token }: Context & Pick<Matched, "params">,
  operation: rights.Operation,
): Effect.Effect<Accounts.App, ErrorResponse<403 | 404>> => {
  const name = `${params["owner"]}/${params["app"]}`
  const app = rights.appNamed(accounts, name)
  if (app === undefined) return errors.unknownApp(name)
  return rights.allowed(token, rights.ofToken(accounts, token, app), operation) ? Effect.succeed(app) : errors.forbidden
}

/**
 * All operations. The document shows the profile and the removal of a user, the field notes the list of apps; the others exist
 * so that every method and right can be tried.
 */
export const operations = [
  make({
    name: "getUser",
    tag: "users",
    summary: "Get the profile",
    description: "The profile of the user that the token belongs to. User tokens only.",
    method: "GET",
    path: "/v0.1/user",
    success: schemas.User,
    errors: [],
    answer: (call) =>
      Effect.zipRight(
        allowed(call, "readUser"),
        Effect.orElse(
          Effect.fromNullable(call.accounts.users.find(({ name }) => name === call.token.user)),
          () => errors.unauthorized,
        ),
      ),
  }),
  make({
    name: "listApps",
    tag: "apps",
    summary: "List apps",
    description: "The apps that the user of the token belongs to. User tokens only.",
    method: "GET",
    path: "/v0.1/apps",
    success: Schema.Array(schemas.App),
    errors: [],
    answer: (call) =>
      Effect.as(
        allowed(call, "listApps"),
        call.accounts.apps
          .filter((app) => rights.allowed(call.token, rights.ofToken(call.accounts, call.token, app), "readApp"))
          .map((app) => schemas.fromApp(call.accounts, app)),
      ),
  }),
  make({
    name: "getApp",
    tag: "apps",
    summary: "Get an app",
    description: "The basic information of an app. Needs the role of a tester.",
    method: "GET",
    path: "/v0.1/apps/:owner/:app",
    success: schemas.App,
    errors: [404],
    answer: (call) => Effect.map(appOf(call, "readApp"), (app) => schemas.fromApp(call.accounts, app)),
  }),
  make({
    name: "changeApp",
    tag: "apps",
    summary: "Change an app",
    description: "Changes how an app is shown. Needs the role of a manager.",
    method: "PATCH",
    path: "/v0.1/apps/:owner/:app",
    body: schemas.AppChange,
    success: schemas.App,
    errors: [...bodyErrors, 404],
    answer: (call) =>
      Effect.gen(function* () {
        const app = yield* appOf(call, "changeApp")
        const changed = { ...app, ...(yield* call.body) }
        yield* call.change(Accounts.putApp(changed))
        return schemas.fromApp(call.accounts, changed)
      }),
  }),
  make({
    name: "listAppUsers",
    tag: "apps",
    summary: "List the users of an app",
    description: "The users of an app, with their permissions. Needs the role of a viewer.",
    method: "GET",
    path: "/v0.1/apps/:owner/:app/users",
    success: Schema.Array(schemas.Member),
    errors: [404],
    answer: (call) =>
      Effect.map(appOf(call, "listMembers"), ({ members }) => schemas.fromMembers(call.accounts, members)),
  }),
  make({
    name: "addAppUser",
    tag: "apps",
    summary: "Add a user to an app",
    description: "Adds a user to an app, by email address. Needs the role of a manager.",
    method: "POST",
    path: "/v0.1/apps/:owner/:app/users",
    body: schemas.NewMember,
    status: 201,
    success: schemas.Member,
    errors: [...bodyErrors, 404, 409],
    answer: (call) =>
      Effect.gen(function* () {
        const app = yield* appOf(call, "addMember")
        const { permissions, user_email } = yield* call.body
        const user = call.accounts.users.find(has(user_email))
        if (user === undefined) return yield* errors.unknownAccount(user_email)
        if (app.members.some((member) => member.user === user.name))
          return yield* errors.conflict("The user is a member of the app already.")
        yield* call.change(Accounts.putMember(Accounts.fullName(app), { user: user.name, permissions }))
        return { ...user, permissions }
      }),
  }),
  make({
    name: "removeAppUser",
    tag: "apps",
    summary: "Remove a user from an app",
    description: "Removes a user from an app, by email address. Needs the role of a manager.",
    method: "DELETE",
    path: "/v0.1/apps/:owner/:app/users/:email",
    status: 204,
    success: Schema.Undefined,
    errors: [404, 409],
    answer: (call) =>
      Effect.gen(function* () {
        const app = yield* appOf(call, "removeMember")
        const email = call.params["email"] ?? ""
        const name = Accounts.fullName(app)
        const isMember = (user: Accounts.User) => app.members.some((member) => member.user === user.name)
        const user = call.accounts.users.find((user) => has(email)(user) && isMember(user))
        if (user === undefined) return yield* errors.unknownMember(email, name)
        if (app.owner.type === "user" && app.owner.name === user.name)
          return yield* errors.conflict("The owner of an app can't be removed from it.")
        yield* call.change(Accounts.removeMember(name, user.name))
        return undefined
      }),
  }),
]
