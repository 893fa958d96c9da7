/** The roles of users and tokens in an app (document, "API token"). */
import { type Accounts, type App, fullName, type Permission } from "../../Accounts.js"
import type { Options } from "../../Tokens.js"

/** An existing token of a user. */
export type Token = Options & { readonly user: string }

export type Role = Permission | "none"

const roles: ReadonlyArray<Role> = ["none", "tester", "viewer", "developer", "manager"]

export const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least)

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

/** An app token is a manager of its app. A read-only token is at most a viewer. */
export const ofToken = (accounts: Accounts, token: Token, app: App): Role => {
  const ofApp = token.kind === "app" && token.app === fullName(app) ? "manager" : "none"
  const role = token.kind === "user" ? ofUser(accounts, token.user, app) : ofApp
  return token.access === "read-only" && isAtLeast(role, "viewer") ? "viewer" : role
}

export const appNamed = ({ apps }: Accounts, name: string): App | undefined =>
  apps.find((app) => fullName(app) === name)
