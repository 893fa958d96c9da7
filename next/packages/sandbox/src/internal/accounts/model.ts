/** Users, organizations, apps and members. */

export const permissions = ["manager", "developer", "viewer", "tester"] as const
export const origins = ["mobile-center", "appcenter", "hockeyapp", "codepush"] as const

/** The permission of a member in an app, highest first (field notes, "App management"). @category models @since 0.1.0 */
export type Permission = (typeof permissions)[number]

/** The system that created a user or an app (public API of App Center; the documents show no values). @category models @since 0.1.0 */
export type Origin = (typeof origins)[number]

/**
 * A user, with the field names of the API (field notes, "App management"). `id` is a UUID, and `name` its key.
 * @category models @since 0.1.0
 */
export interface User {
  readonly id: string
  readonly name: string
  readonly display_name: string
  readonly email: string
  readonly origin: Origin
  readonly avatar_url: string | null
  readonly can_change_password: boolean
  readonly created_at: string
  readonly permissions?: ReadonlyArray<Permission>
}

/** An organization. Its admins manage its apps, its collaborators view them. @category models @since 0.1.0 */
export interface Organization {
  readonly id: string
  readonly name: string
  readonly display_name: string
  readonly created_at: string
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

/** An app. The user who owns it need not be a member. `os` is such as `Android`, `platform` such as `Java`. @category models @since 0.1.0 */
export interface App {
  readonly id: string
  readonly owner: Owner
  readonly name: string
  readonly display_name: string
  readonly description: string | null
  readonly os: string
  readonly platform: string
  readonly origin: Origin
  readonly created_at: string
  readonly members: ReadonlyArray<Member>
}

/** All users, organizations and apps. `apiToken` of a sandbox belongs to the first user. @category models @since 0.1.0 */
export interface Accounts {
  readonly users: readonly [User, ...ReadonlyArray<User>]
  readonly organizations: ReadonlyArray<Organization>
  readonly apps: ReadonlyArray<App>
}
