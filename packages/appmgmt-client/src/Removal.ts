/** Removing a user from an app: how it ended. */

/**
 * The user was removed.
 *
 * @category models
 * @since 0.1.0
 */
export interface Removed {
  readonly _tag: "Removed"
}

/**
 * The app has no such user, and an earlier attempt of the same call may have removed them: it ended in a lost response, a timeout or a
 * 5xx, and a later attempt in a 404 with the code `UserNotFound`. A user who never had access gives the same result.
 *
 * @category models
 * @since 0.1.0
 */
export interface RemovedEarlier {
  readonly _tag: "RemovedEarlier"
  /** The same in a sentence, for logs and people. */
  readonly note: string
}

/**
 * How a removal ended well.
 *
 * @category models
 * @since 0.1.0
 */
export type Removal = Removed | RemovedEarlier

/**
 * The one value of `Removed`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const removed: Removal = { _tag: "Removed" }

/**
 * The one value of `RemovedEarlier`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const removedEarlier: Removal = {
  _tag: "RemovedEarlier",
  note: "The user has no access to the app. An earlier attempt, whose outcome is unknown, may have removed them. If that is unexpected, check the e-mail address.",
}
