/** Who uses the app management service: users, organizations, apps and their members; seeded and deterministic. */
import * as apps from "./internal/accounts/apps.js"
import type { Accounts, App, Member, Owner, User } from "./internal/accounts/model.js"
import * as people from "./internal/accounts/people.js"
import * as dice from "./internal/world/dice.js"

export type { Accounts, App, Member, Organization, Origin, Owner, Permission, User } from "./internal/accounts/model.js"

/**
 * Makes the accounts of a seed (default: 1): eight users, three organizations and twelve apps. Of the apps, six are in every seed:
 * the default user `ada` manages `ada/atlas` (her own) and `fleet/dispatch` (of an organization that she administers), is a developer
 * of `north.star/compass`, a viewer of `grace/night.watch`, a tester of `jurgen/pocket_map`, and nobody in `black-box/recorder`.
 * @category constructors
 * @since 0.1.0
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

/**
 * The app as the document writes it: `{owner-name}/{app-name}` ("App identity").
 * @category getters
 * @since 0.1.0
 */
export const fullName = ({ name, owner }: Pick<App, "name" | "owner">): string => `${owner.name}/${name}`

/**
 * The accounts with this app in the place of the one that has the same owner and name, or after the others.
 * @category combinators
 * @since 0.1.0
 */
export const putApp =
  (app: App) =>
  (accounts: Accounts): Accounts => {
    const isIt = (other: App) => fullName(other) === fullName(app)
    return {
      ...accounts,
      apps: accounts.apps.some(isIt)
        ? accounts.apps.map((other) => (isIt(other) ? app : other))
        : [...accounts.apps, app],
    }
  }

/**
 * The accounts with this user in the place of the one that has the same name, or after the others.
 * @category combinators
 * @since 0.1.0
 */
export const putUser =
  (user: User) =>
  (accounts: Accounts): Accounts => {
    const [first, ...rest] = accounts.users
    const put = (other: User) => (other.name === user.name ? user : other)
    const known = accounts.users.some(({ name }) => name === user.name)
    return { ...accounts, users: [put(first), ...rest.map(put), ...(known ? [] : [user])] }
  }

const changeMembers =
  (app: string, f: (members: ReadonlyArray<Member>) => ReadonlyArray<Member>) =>
  (accounts: Accounts): Accounts => ({
    ...accounts,
    apps: accounts.apps.map((other) => (fullName(other) === app ? { ...other, members: f(other.members) } : other)),
  })

/**
 * The accounts without this user (by name) among the members of an app (`owner/app`); the same when there is no such app or member.
 * @category combinators
 * @since 0.1.0
 */
export const removeMember = (app: string, user: string): ((accounts: Accounts) => Accounts) =>
  changeMembers(app, (members) => members.filter((member) => member.user !== user))

/**
 * The accounts with this member in an app (`owner/app`), in the place of what the user was there; the same when there is no such app.
 * @category combinators
 * @since 0.1.0
 */
export const putMember = (app: string, member: Member): ((accounts: Accounts) => Accounts) =>
  changeMembers(app, (members) => [...members.filter(({ user }) => user !== member.user), member])
