/** Users, organizations, apps and members. */

/**
 * What a member may do in an app, the most first (field notes, "App management").
 * @category models
 * @since 0.1.0
 */
export type Permission = "manager" | "developer" | "viewer" | "tester"

/**
 * What created a user or an app (public API of App Center; the documents show no values).
 * @category models
 * @since 0.1.0
 */
export type Origin = "mobile-center" | "appcenter" | "hockeyapp" | "codepush"

/**
 * A user, by the names of the wire (field notes, "App management"). Others refer to a user by `name`; `created_at` is ISO 8601.
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
  /** What created the account. */
  readonly origin: Origin
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
  /** What created the app. */
  readonly origin: Origin
  /** ISO 8601. */
  readonly created_at: string
  /** Who may do something in it. */
  readonly members: ReadonlyArray<Member>
}

/**
 * Everyone and everything that there is; the first user is the one that `apiToken` belongs to.
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
