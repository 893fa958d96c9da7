/** The limits of the API. */

/** How many days back the list of a subscription starts by default, by `lastUpdateTime`. @category constants @since 0.1.0 */
export const defaultDaysBack = 3
