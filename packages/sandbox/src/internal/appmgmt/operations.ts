/** The operations of the app management API, each with its path and its answer. */
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Accounts from "../../Accounts.js"
import type { Token } from "../../Tokens.js"
import { type Answer, json } from "../answer.js"
import * as body from "./body.js"
import * as refusals from "./refusals.js"
import * as rights from "./rights.js"
import * as roles from "./roles.js"
import * as wire from "./wire.js"

/** A request that is let in. */
interface Call {
  readonly accounts: Accounts.Accounts
  readonly change: (f: (accounts: Accounts.Accounts) => Accounts.Accounts) => Effect.Effect<void>
  readonly token: Token
  readonly params: Readonly<Record<string, string>>
  readonly body: Option.Option<string>
}

/** The path under `/v0.1`; a segment that begins with a colon takes any text but an empty one. */
export interface Operation {
  readonly method: "GET" | "PATCH" | "POST" | "DELETE"
  readonly path: string
  readonly answer: (call: Call) => Answer
}

const permission = Schema.Literal("manager", "developer", "viewer", "tester")
const text = Schema.optionalWith(Schema.String, { exact: true })

const asChange = body.as(
  Schema.Struct({
    display_name: text,
    description: Schema.optionalWith(Schema.NullOr(Schema.String), { exact: true }),
  }),
  'such as {"display_name": "…", "description": "…"}, or {}',
)
const asMember = body.as(
  Schema.Struct({ user_email: Schema.String, permissions: Schema.NonEmptyArray(permission) }),
  'such as {"user_email": "…", "permissions": ["viewer"]}',
)

/** Letter case tells no e-mail addresses apart. */
const has =
  (email: string) =>
  (user: Accounts.User): boolean =>
    user.email.toLowerCase() === email.toLowerCase()

/** What concerns no app. */
const acrossApps = (operation: rights.Operation, answer: (call: Call) => Answer) => (call: Call) =>
  rights.allowed(call.token, "none", operation) ? answer(call) : refusals.forbidden

/** What concerns the app of the path: a right to it is asked for once it is known to be there. */
const inApp = (operation: rights.Operation, answer: (call: Call, app: Accounts.App) => Answer) => (call: Call) => {
  const name = `${call.params["owner"]}/${call.params["app"]}`
  const app = roles.appNamed(call.accounts, name)
  if (app === undefined) return refusals.noSuchApp(name)
  return rights.allowed(call.token, roles.ofToken(call.accounts, call.token, app), operation)
    ? answer(call, app)
    : refusals.forbidden
}

const profile = ({ accounts, token }: Call) => json(accounts.users.find(({ name }) => name === token.user) ?? null)

const list = ({ accounts, token }: Call) =>
  json(
    accounts.apps
      .filter((app) => rights.allowed(token, roles.ofToken(accounts, token, app), "readApp"))
      .map((app) => wire.app(accounts, app)),
  )

const change = ({ accounts, body, change }: Call, app: Accounts.App) =>
  asChange(body, (said) => {
    const changed = { ...app, ...said }
    return Effect.zipRight(change(Accounts.putApp(changed)), json(wire.app(accounts, changed)))
  })

const addMember = ({ accounts, body, change }: Call, app: Accounts.App) =>
  asMember(body, ({ permissions, user_email }) => {
    const user = accounts.users.find(has(user_email))
    if (user === undefined) return refusals.noSuchAccount(user_email)
    if (app.members.some((member) => member.user === user.name))
      return refusals.conflict("The user is a member of the app already.")
    const member = { user: user.name, permissions }
    return Effect.zipRight(
      change(Accounts.putMember(Accounts.fullName(app), member)),
      json({ ...user, permissions }, 201),
    )
  })

const removeMember = ({ accounts, change, params }: Call, app: Accounts.App) => {
  const email = params["email"] ?? ""
  const name = Accounts.fullName(app)
  const user = accounts.users.find(
    (user) => has(email)(user) && app.members.some((member) => member.user === user.name),
  )
  if (user === undefined) return refusals.noSuchUser(email, name)
  if (app.owner.type === "user" && app.owner.name === user.name)
    return refusals.conflict("The owner of an app can't be removed from it.")
  return Effect.as(change(Accounts.removeMember(name, user.name)), HttpServerResponse.empty({ status: 204 }))
}

/**
 * All of them. The document shows the profile and the removal of a user, the field notes the list; the others are there so that
 * every method and right can be tried.
 */
export const operations: ReadonlyArray<Operation> = [
  { method: "GET", path: "/user", answer: acrossApps("readUser", profile) },
  { method: "GET", path: "/apps", answer: acrossApps("listApps", list) },
  {
    method: "GET",
    path: "/apps/:owner/:app",
    answer: inApp("readApp", ({ accounts }, app) => json(wire.app(accounts, app))),
  },
  { method: "PATCH", path: "/apps/:owner/:app", answer: inApp("changeApp", change) },
  {
    method: "GET",
    path: "/apps/:owner/:app/users",
    answer: inApp("listMembers", ({ accounts }, { members }) => json(wire.members(accounts, members))),
  },
  { method: "POST", path: "/apps/:owner/:app/users", answer: inApp("addMember", addMember) },
  { method: "DELETE", path: "/apps/:owner/:app/users/:email", answer: inApp("removeMember", removeMember) },
]
