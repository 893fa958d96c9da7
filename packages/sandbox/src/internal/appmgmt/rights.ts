/** Who may do what: the roles of users and tokens in an app, and the one table of rights (document, "API token"). */
import { type Accounts, type App, fullName, type Permission } from "../../Accounts.js"
import type { Access, Token } from "../../Tokens.js"

/** What a user or a token is in an app. */
export type Role = Permission | "none"

/** What can be asked of the service, and of its portal. */
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

/** What a token is at most, however much its user is. */
const most: Readonly<Record<Access, Role>> = { full: "manager", "read-only": "viewer" }

/** What one must be in the app, and the kinds of token that will do: work across apps takes a user token (document, "Authentication"). */
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

/**
 * Whether a token may. `role` is, of a user token, what its user is in the app; of an app token, `manager` in its own app and
 * `none` in others. Where no app is concerned, it is `none`.
 */
export const allowed = (
  { access, kind }: { readonly kind: Kind; readonly access: Access },
  role: Role,
  operation: Operation,
): boolean => {
  const [least, ...kinds] = rules[operation]
  return kinds.includes(kind) && isAtLeast(isAtLeast(role, most[access]) ? most[access] : role, least)
}

/** What a user is: by owning the app, by the organization that does, or as a member. The greatest of it counts. */
export const ofUser = ({ organizations }: Accounts, user: string, { members, owner }: App): Role => {
  const organization = owner.type === "org" ? organizations.find(({ name }) => name === owner.name) : undefined
  const held = new Set<Role>([
    ...(owner.type === "user" && owner.name === user ? (["manager"] as const) : []),
    ...(organization?.members ?? [])
      .filter((member) => member.user === user)
      .map(({ role }) => (role === "admin" ? "manager" : "viewer")),
    ...members.filter((member) => member.user === user).flatMap(({ permissions }) => permissions),
  ])
  return roles.findLast((role) => held.has(role)) ?? "none"
}

/** What a token's holder is, before the token's access limits it. */
export const ofToken = (accounts: Accounts, token: Token, app: App): Role =>
  token.kind === "user" ? ofUser(accounts, token.user, app) : token.app === fullName(app) ? "manager" : "none"

/** The app of this name, `owner/app`. */
export const appNamed = ({ apps }: Accounts, name: string): App | undefined =>
  apps.find((app) => fullName(app) === name)
