/** The accounts of the app management service: users, organizations, apps and their members, made from a seed. */
import * as Array from "effect/Array"
import * as apps from "./internal/accounts/apps.js"
import type { Accounts, App, Member, Owner, User } from "./internal/accounts/model.js"
import * as people from "./internal/accounts/people.js"
import * as dice from "./internal/world/dice.js"

export type { Accounts, App, Member, Organization, Origin, Owner, Permission, User } from "./internal/accounts/model.js"

/**
 * Makes accounts: eight users, three organizations and twelve apps. Six apps exist for every seed. The default seed is 1.
 * @category constructors @since 0.1.0
 */
export const make = (options: { readonly seed?: number | undefined } = {}): Accounts => {
  const random = dice.make((options.seed ?? 1) + 2_000_003)
  const users = people.users(random)
  const organizations = people.organizations(random)
  const names = users.map(({ name }) => name)
  const owners: readonly [Owner, ...ReadonlyArray<Owner>] = [
    { type: "user", name: users[0].name },
    ...names.slice(1).map((name): Owner => ({ type: "user", name })),
    ...organizations.map(({ name }): Owner => ({ type: "org", name })),
  ]
  return { users, organizations, apps: apps.apps(random, owners, names) }
}

/** The full name of an app: `{owner-name}/{app-name}` (document, "App identity"). @category getters @since 0.1.0 */
export const fullName = ({ name, owner }: Pick<App, "name" | "owner">): string => `${owner.name}/${name}`

/** Adds an app, or replaces the app with the same full name. @category combinators @since 0.1.0 */
export const putApp =
  (app: App) =>
  (accounts: Accounts): Accounts => {
    const isSame = (other: App) => fullName(other) === fullName(app)
    const apps = accounts.apps.map((other) => (isSame(other) ? app : other))
    return { ...accounts, apps: accounts.apps.some(isSame) ? apps : [...apps, app] }
  }

/** Adds a user, or replaces the user with the same name. No organization may have that name. @category combinators @since 0.1.0 */
export const putUser =
  (user: User) =>
  (accounts: Accounts): Accounts => {
    const exists = accounts.users.some(({ name }) => name === user.name)
    const users = Array.map(accounts.users, (other) => (other.name === user.name ? user : other))
    return { ...accounts, users: exists ? users : Array.append(users, user) }
  }

const changeMembers =
  (app: string, f: (members: ReadonlyArray<Member>) => ReadonlyArray<Member>) =>
  (accounts: Accounts): Accounts => ({
    ...accounts,
    apps: accounts.apps.map((other) => (fullName(other) === app ? { ...other, members: f(other.members) } : other)),
  })

/**
 * Removes a user (by name) from the members of an app (`owner/app`). Does nothing if the app or the member does not exist.
 * @category combinators @since 0.1.0
 */
export const removeMember = (app: string, user: string): ((accounts: Accounts) => Accounts) =>
  changeMembers(app, (members) => members.filter((member) => member.user !== user))

/**
 * Adds a member to an app (`owner/app`), or replaces the user's permissions. Does nothing if the app does not exist.
 * @category combinators @since 0.1.0
 */
export const putMember = (app: string, member: Member): ((accounts: Accounts) => Accounts) =>
  changeMembers(app, (members) => [...members.filter(({ user }) => user !== member.user), member])
