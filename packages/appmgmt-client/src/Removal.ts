/** How the removal of a user from an app ended. */

/**
 * How a removal succeeded: `Removed`, or `RemovedEarlier` if the app has no such user and an earlier attempt of the same call may have removed
 * them. That attempt ended in a lost response, a timeout or a 5xx, and a later one in a 404 with the code `UserNotFound`. A user who never had
 * access gives the same result. `note` says so in sentences, for logs and people.
 * @category models
 * @since 0.1.0
 */
export type Removal = { readonly _tag: "Removed" } | { readonly _tag: "RemovedEarlier"; readonly note: string }

/**
 * The value of `Removed`.
 * @category constructors
 * @since 0.1.0
 */
export const removed: Removal = { _tag: "Removed" }

/**
 * The value of `RemovedEarlier`.
 * @category constructors
 * @since 0.1.0
 */
export const removedEarlier: Removal = {
  _tag: "RemovedEarlier",
  note: "The user has no access to the app. An earlier attempt, whose outcome is unknown, may have removed them. If that is unexpected, check the e-mail address.",
}
