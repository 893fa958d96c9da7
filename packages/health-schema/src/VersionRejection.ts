/** What an error response says about the requested API version. */

/** The code and the message of an error response, such as a `StatusReason` of `@vigil/core-http`. @category models @since 0.4.0 */
export interface Rejection {
  readonly status: number
  readonly code?: string | undefined
  readonly detail?: string | undefined
}

/**
 * Returns the versions that the service says it supports, if it rejected the requested one: an empty list if it names none. Returns
 * `undefined` for other errors.
 * @category parsing @since 0.4.0
 */
export const supportedVersions = (reason: unknown): ReadonlyArray<string> | undefined => {
  const { code = "", detail = "", status } = (reason ?? {}) as Partial<Rejection>
  if ((status !== 400 && status !== 404) || !/api[- ]?version/i.test(`${code} ${detail}`)) return undefined
  const [, list = ""] = /supported (?:api-?)?versions? are\b(.*)/is.exec(detail) ?? []
  // The last version of a message that was cut may be incomplete.
  return [...new Set(list.match(/\d{4}-\d\d-\d\d(?:-[a-z]\w*)?(?=['",.;\s])/gi))]
}
