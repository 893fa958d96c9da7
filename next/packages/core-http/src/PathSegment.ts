/** Segments of URL paths. */

const forbidden = /[/\\?#%\p{Cc}\p{Cs}]/u

/**
 * Whether a text is exactly one segment of a path for every server and proxy: it is not empty, not `.` or `..`, and contains no `/`, `\`, `?`,
 * `#`, `%`, control character or unpaired surrogate.
 * @category guards @since 0.1.0
 */
export const isSegment = (text: string): boolean =>
  text !== "" && text !== "." && text !== ".." && !forbidden.test(text)

/** Joins segments to a path that begins with `/`, each segment percent-encoded. @category constructors @since 0.1.0 */
export const join = (segments: ReadonlyArray<string>): string =>
  segments.map((segment) => `/${encodeURIComponent(segment)}`).join("")
