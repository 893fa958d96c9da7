/** What users and tokens are in an app, by the accounts. */
import { type Accounts, type App, fullName } from "../../Accounts.js"
import type { Token } from "../../Tokens.js"
import * as rights from "./rights.js"

/** What a user is: by owning the app, by the organization that does, or as a member. The greatest of it counts. */
export const ofUser = ({ organizations }: Accounts, user: string, { members, owner }: App): rights.Role => {
  const organization = owner.type === "org" ? organizations.find(({ name }) => name === owner.name) : undefined
  return rights.greatest([
    ...(owner.type === "user" && owner.name === user ? (["manager"] as const) : []),
    ...(organization?.members ?? [])
      .filter((member) => member.user === user)
      .map(({ role }) => (role === "admin" ? "manager" : "viewer")),
    ...members.filter((member) => member.user === user).flatMap(({ permissions }) => permissions),
  ])
}

/** What a token's holder is, before the token's access limits it. */
export const ofToken = (accounts: Accounts, token: Token, app: App): rights.Role =>
  token.kind === "user" ? ofUser(accounts, token.user, app) : token.app === fullName(app) ? "manager" : "none"

/** The app of this name, `owner/app`. */
export const appNamed = ({ apps }: Accounts, name: string): App | undefined =>
  apps.find((app) => fullName(app) === name)
