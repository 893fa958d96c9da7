/** Who uses the app management service: users, organizations, apps and their members; seeded and deterministic. */
import * as apps from "./internal/accounts/apps.js"
import * as people from "./internal/accounts/people.js"
import * as dice from "./internal/world/dice.js"

/**
 * What a member may do in an app, the most first (field notes, "App management").
 *
 * @category models
 * @since 0.1.0
 */
export type Permission = "manager" | "developer" | "viewer" | "tester"

/**
 * A user, by the names of the wire (field notes, "App management"). Others refer to a user by `name`; `created_at` is ISO 8601.
 *
 * @category models
 * @since 0.1.0
 */
export interface User {
  /** A UUID. */
  readonly id: string
  readonly name: string
  /** What they are called. */
  readonly display_name: string
  /** By which a user of an app is removed. */
  readonly email: string
  /** What keeps the account, such as `sandbox`. */
  readonly origin: string
  /** A picture, if there is one. */
  readonly avatar_url: string | null
  /** Whether they may change their password. */
  readonly can_change_password: boolean
  readonly created_at: string
  /** What they may do in an app, where one is asked about. */
  readonly permissions?: ReadonlyArray<Permission>
}

/**
 * An organization. Its admins manage its apps, its collaborators view them.
 *
 * @category models
 * @since 0.1.0
 */
export interface Organization {
  /** A UUID. */
  readonly id: string
  /** By which paths know it. */
  readonly name: string
  /** What it is called. */
  readonly display_name: string
  /** ISO 8601. */
  readonly created_at: string
  /** Its users, by name, and what each of them is. */
  readonly members: ReadonlyArray<{ readonly user: string; readonly role: "admin" | "collaborator" }>
}

/**
 * Whose an app is: a user or an organization, by name (document, "App identity"). No two of them have the same name.
 *
 * @category models
 * @since 0.1.0
 */
export interface Owner {
  /** Which of the two it is. */
  readonly type: "user" | "org"
  /** By which paths know it. */
  readonly name: string
}

/**
 * A user, by name, and what they may do in an app.
 *
 * @category models
 * @since 0.1.0
 */
export interface Member {
  /** The name of the user. */
  readonly user: string
  /** What they may do. */
  readonly permissions: ReadonlyArray<Permission>
}

/**
 * An app. A user who owns it is one of its members.
 *
 * @category models
 * @since 0.1.0
 */
export interface App {
  /** A UUID. */
  readonly id: string
  /** Whose it is: the first part of its name in paths. */
  readonly owner: Owner
  /** The second part of its name in paths. */
  readonly name: string
  /** What it is called. */
  readonly display_name: string
  /** What it is for, if anyone said so. */
  readonly description: string | null
  /** Such as `Android`. */
  readonly os: string
  /** Such as `Java`. */
  readonly platform: string
  /** ISO 8601. */
  readonly created_at: string
  /** Who may do something in it. */
  readonly members: ReadonlyArray<Member>
}

/**
 * Everyone and everything that there is; the first user is the one that `apiToken` belongs to.
 *
 * @category models
 * @since 0.1.0
 */
export interface Accounts {
  /** At least the one that `apiToken` belongs to. */
  readonly users: readonly [User, ...ReadonlyArray<User>]
  /** What owns apps beside users. */
  readonly organizations: ReadonlyArray<Organization>
  /** All of them, whoever owns them. */
  readonly apps: ReadonlyArray<App>
}

/**
 * Makes the accounts of a seed (default: 1): eight users, three organizations and twelve apps. Of the apps, six are in every seed:
 * the default user `ada` manages `ada/atlas` (her own) and `fleet/dispatch` (of an organization that she administers), is a developer
 * of `north.star/compass`, a viewer of `grace/night.watch`, a tester of `jurgen/pocket_map`, and nobody in `black-box/recorder`.
 *
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
 *
 * @category getters
 * @since 0.1.0
 */
export const fullName = ({ name, owner }: Pick<App, "name" | "owner">): string => `${owner.name}/${name}`

/**
 * The accounts with this app in the place of the one that has the same owner and name, or after the others.
 *
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
 *
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
 *
 * @category combinators
 * @since 0.1.0
 */
export const removeMember = (app: string, user: string): ((accounts: Accounts) => Accounts) =>
  changeMembers(app, (members) => members.filter((member) => member.user !== user))

/**
 * The accounts with this member in an app (`owner/app`), in the place of what the user was there; the same when there is no such app.
 *
 * @category combinators
 * @since 0.1.0
 */
export const putMember = (app: string, member: Member): ((accounts: Accounts) => Accounts) =>
  changeMembers(app, (members) => [...members.filter(({ user }) => user !== member.user), member])
