/** The limits of the API. */

/** How many days back the list of a subscription starts by default, by `lastUpdateTime`. @category constants @since 0.1.0 */
export const defaultDaysBack = 3

/**
 * How many days back to read for an answer about now. Services leave active events in their place until the next update, so a list of three
 * days misses those without a recent one.
 * @category constants @since 0.2.0
 */
export const activeDaysBack = 90
