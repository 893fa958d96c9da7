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
 * The user has no access, and an earlier attempt of this very call may have seen to it: it may have been carried out, its outcome is not
 * known, and when it was sent again the service knew no such user. A user who never had access is told the same.
 *
 * @category models
 * @since 0.1.0
 */
export interface RemovedEarlier {
  readonly _tag: "RemovedEarlier"
  /** That, in a sentence, for logs and people. */
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
  note: "An earlier attempt may have been carried out, its outcome is not known; asked again, the service knows no such user: the user has no access now. If that is unexpected, check the address.",
}
