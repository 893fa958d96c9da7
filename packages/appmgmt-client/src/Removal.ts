/** The result of removing a user from an app. */

/**
 * With `AlreadyRemoved`, the last attempt found no such user, but an earlier attempt of the same call may have removed the user.
 * @category models @since 0.1.0
 */
export type Removal = { readonly _tag: "Removed" } | { readonly _tag: "AlreadyRemoved"; readonly note: string }

/** The value of `Removed`. @category constructors @since 0.1.0 */
export const removed: Removal = { _tag: "Removed" }

/** The value of `AlreadyRemoved`. @category constructors @since 0.1.0 */
export const alreadyRemoved: Removal = {
  _tag: "AlreadyRemoved",
  note: "The user has no access to the app. An earlier attempt failed, but may have removed the user. If the user had no access before, check the email address.",
}
