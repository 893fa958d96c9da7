/** The permissions of users and tokens in an app, and the table of rights (document, "API token"). */
import { type Accounts, type App, fullName, type Permission } from "../../Accounts.js"
import type { Access, Token } from "../../Tokens.js"

export type Role = Permission | "none"

export type Operation =
  | "readUser"
  | "listApps"
  | "readApp"
  | "listMembers"
  | "changeApp"
  | "addMember"
  | "removeMember"
  | "createFullToken"
  | "createReadOnlyToken"

type Kind = Token["kind"]

const roles: ReadonlyArray<Role> = ["none", "tester", "viewer", "developer", "manager"]

const maximum: Readonly<Record<Access, Role>> = { full: "manager", "read-only": "viewer" }

/** The least role in the app, and the kinds of token. App tokens are valid for one app only (document, "Authentication"). */
const rules: Readonly<Record<Operation, readonly [least: Role, ...kinds: ReadonlyArray<Kind>]>> = {
  readUser: ["none", "user"],
  listApps: ["none", "user"],
  readApp: ["tester", "user", "app"],
  listMembers: ["viewer", "user", "app"],
  changeApp: ["manager", "user", "app"],
  addMember: ["manager", "user", "app"],
  removeMember: ["manager", "user", "app"],
  createFullToken: ["manager", "user"],
  createReadOnlyToken: ["developer", "user"],
}

const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least)

/** For a user token, `role` is the user's role in the app. For an app token, it is `manager` in its app. It is `none` without an app. */
export const allowed = (
  { access, kind }: { readonly kind: Kind; readonly access: Access },
  role: Role,
  operation: Operation,
): boolean => {
  const [least, ...kinds] = rules[operation]
  return kinds.includes(kind) && isAtLeast(isAtLeast(role, maximum[access]) ? maximum[access] : role, least)
}

export const ofUser = ({ organizations }: Accounts, user: string, { members, owner }: App): Role => {
  // Names of owners are unique.
  const organization = organizations.find(({ name }) => name === owner.name)
  const found = new Set<Role>([
    ...(owner.name === user ? (["manager"] as const) : []),
    ...(organization?.members ?? [])
      .filter((member) => member.user === user)
      .map(({ role }) => (role === "admin" ? "manager" : "viewer")),
    ...members.filter((member) => member.user === user).flatMap(({ permissions }) => permissions),
  ])
  return roles.findLast((role) => found.has(role)) ?? "none"
}

export const ofToken = (accounts: Accounts, token: Token, app: App): Role =>
  token.kind === "user" ? ofUser(accounts, token.user, app) : token.app === fullName(app) ? "manager" : "none"

export const appNamed = ({ apps }: Accounts, name: string): App | undefined =>
  apps.find((app) => fullName(app) === name)
