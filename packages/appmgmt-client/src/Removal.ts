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
 * The user is gone, and an earlier attempt of this very call must have done it: it was sent, its answer was lost, and when it was sent
 * again the service knew no such user any more.
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
 * @category constructors
 * @since 0.1.0
 */
export const removed: Removal = { _tag: "Removed" }

/**
 * @category constructors
 * @since 0.1.0
 */
export const removedEarlier: Removal = {
  _tag: "RemovedEarlier",
  note: "The answer to the first attempt was lost; asked again, the service knows no such user any more: the user is removed.",
}
