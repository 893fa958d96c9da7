/** The limits that the document gives ("Limits"). */

/**
 * The highest priority of an event.
 *
 * @category constants
 * @since 0.1.0
 */
export const highestPriority = 0

/**
 * The lowest priority of an event.
 *
 * @category constants
 * @since 0.1.0
 */
export const lowestPriority = 23

/**
 * How far back a list of a subscription goes when nothing else is asked for, in days, measured on `lastUpdateTime`.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultDaysBack = 3

/**
 * The least number of characters of an `api-version`.
 *
 * @category constants
 * @since 0.1.0
 */
export const minApiVersionLength = 1
