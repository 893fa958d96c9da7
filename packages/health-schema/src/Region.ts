/** Names of regions: one comparison for the names that people type and the names that services send. */

/**
 * Returns the form of a region's name that is compared: lower case, without spaces and dashes. `West Europe`, `west-europe`
 * and `westeurope` have the same form.
 * @category comparing
 * @since 0.1.0
 */
export const normalize = (name: string): string => name.toLowerCase().replace(/[\s\p{Pd}]+/gu, "")

/**
 * Whether two names mean the same region, without regard to case, spaces and dashes. A missing name equals none.
 * @category comparing
 * @since 0.1.0
 */
export const equals = (one: string | null | undefined, other: string | null | undefined): boolean =>
  one !== null && one !== undefined && other !== null && other !== undefined && normalize(one) === normalize(other)
