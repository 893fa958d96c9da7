/** Comparison of region names. */

/**
 * Normalizes a region name: lower case, without spaces and dashes, such as `westeurope` for `West Europe` and `west-europe`.
 * @category comparing @since 0.1.0
 */
export const normalize = (name: string): string => name.toLowerCase().replace(/[\s\p{Pd}]+/gu, "")

/** Returns whether two names mean the same region. A missing name equals no other. @category comparing @since 0.1.0 */
export const equals = (one: string | null | undefined, other: string | null | undefined): boolean =>
  one !== null && one !== undefined && other !== null && other !== undefined && normalize(one) === normalize(other)
