/** The accounts of the app management service: users, organizations, apps and their members. */
import type * as schemas from "./internal/appmgmt/schemas.js"

/** The permission of a member in an app (field notes, "App management"). @category models @since 0.1.0 */
export type Permission = typeof schemas.Permission.Type

/** A user, with the field names of the API (field notes, "App management"). `name` is its key. @category models @since 0.1.0 */
export type User = typeof schemas.User.Type

/** An organization. Its admins manage its apps, its collaborators view them. @category models @since 0.1.0 */
export interface Organization {
  readonly id: string
  readonly name: string
  readonly display_name: string
  readonly members: ReadonlyArray<{ readonly user: string; readonly role: "admin" | "collaborator" }>
}

/** The owner of an app: a user or an organization (document, "App identity"). Names of owners are unique. @category models @since 0.1.0 */
export interface Owner {
  readonly type: "user" | "org"
  readonly name: string
}

/** A user, by name, and the user's permissions in an app. @category models @since 0.1.0 */
export interface Member {
  readonly user: string
  readonly permissions: ReadonlyArray<Permission>
}

/** An app. The user who owns it need not be a member. @category models @since 0.1.0 */
export interface App extends Omit<typeof schemas.App.Type, "app_secret" | "owner"> {
  readonly owner: Owner
  readonly members: ReadonlyArray<Member>
}

/** All users, organizations and apps. `apiToken` of a sandbox belongs to the first user. @category models @since 0.1.0 */
export interface Accounts {
  readonly users: readonly [User, ...ReadonlyArray<User>]
  readonly organizations: ReadonlyArray<Organization>
  readonly apps: ReadonlyArray<App>
}

const idOf = (kind: string, number: number): string => `${kind}-0000-4000-8000-${String(number).padStart(12, "0")}`

const created_at = "2023-05-09T21:07:38.069Z"

const user = (number: number, name: string, display_name: string, email: string): User => ({
  id: idOf("7c0de3a5", number),
  name,
  display_name,
  email,
  origin: "appcenter",
  avatar_url: null,
  can_change_password: false,
  created_at,
})

const organization = (
  number: number,
  name: string,
  display_name: string,
  members: Organization["members"],
): Organization => ({ id: idOf("0a900000", number), name, display_name, members })

const app = (
  number: number,
  type: Owner["type"],
  owner: string,
  name: string,
  display_name: string,
  members: Readonly<Record<string, Permission>>,
): App => ({
  id: idOf("a9900000", number),
  owner: { type, name: owner },
  name,
  display_name,
  description: number % 2 === 0 ? null : `What ${display_name} does for its users.`,
  os: "Android",
  platform: "Java",
  origin: "appcenter",
  created_at,
  members: Object.entries(members).map(([user, permission]) => ({ user, permissions: [permission] })),
})

/** The accounts of a new sandbox. Some names and email addresses contain unusual, but valid characters. @category constants @since 0.2.0 */
export const initial: Accounts = {
  users: [
    { ...user(1, "ada", "Ada Operator", "ada@vigil.example"), permissions: ["manager"] },
    user(2, "grace", "Grace O'Neil", "grace.o'neil@vigil.example"),
    user(3, "jurgen", "Jürgen Groß", "jürgen@größe.example"),
    user(4, "ops-bot", "Ops <Bot> & Sons", "ops+alerts@vigil.example"),
    user(5, "yuki", "雪", "雪@例え.example"),
    user(6, "tom.tester", 'Tom "T." Tester', "tom/50%off@vigil.example"),
    user(7, "Lin_Wu", "Lin Wu", "Lin.Wu@Vigil.Example"),
    user(8, "zoe", "Zoë 🚀", "zoe?&=#@vigil.example"),
  ],
  organizations: [
    organization(1, "fleet", "Fleet Operations", [
      { user: "ada", role: "admin" },
      { user: "ops-bot", role: "collaborator" },
    ]),
    organization(2, "north.star", "North Star & Co.", [
      { user: "grace", role: "admin" },
      { user: "ada", role: "collaborator" },
      { user: "Lin_Wu", role: "collaborator" },
    ]),
    organization(3, "black-box", 'Black "Box"', [{ user: "yuki", role: "admin" }]),
  ],
  apps: [
    app(1, "user", "ada", "atlas", "Atlas", {
      ada: "manager",
      grace: "developer",
      jurgen: "viewer",
      "tom.tester": "tester",
      "ops-bot": "viewer",
      yuki: "viewer",
    }),
    app(2, "org", "fleet", "dispatch", "Dispatch <beta>", { Lin_Wu: "manager" }),
    app(3, "org", "north.star", "compass", "Compass & Chart", { ada: "developer", zoe: "tester" }),
    app(4, "user", "grace", "night.watch", "Night's Watch", { grace: "manager", ada: "viewer" }),
    app(5, "user", "jurgen", "pocket_map", "Tasche (für Karten)", { jurgen: "manager", ada: "tester" }),
    app(6, "org", "black-box", "recorder", "Recorder", { yuki: "manager" }),
  ],
}

/** The full name of an app: `{owner-name}/{app-name}` (document, "App identity"). @category getters @since 0.1.0 */
export const fullName = ({ name, owner }: Pick<App, "name" | "owner">): string => `${owner.name}/${name}`
