/** One segment of a path: what may stand in it, and how it is written. */

/** What ends a segment, escapes out of it, stands for another one, or is no text. */
const forbidden = /[/\\?#%\p{Cc}\p{Cs}]/u

/** Whether a name can be exactly one segment of a path, whoever reads it: it is not empty, not `.` or `..`, and has no `/`, `\`, `?`,
 * `#`, `%`, control character or half character.
 * @category guards
 * @since 0.1.0 */
export const isSegment = (text: string): boolean =>
  text !== "" && text !== "." && text !== ".." && !forbidden.test(text)

/** The path of these segments, each encoded, with a `/` before it.
 * @category constructors
 * @since 0.1.0 */
export const join = (segments: ReadonlyArray<string>): string =>
  segments.map((segment) => `/${encodeURIComponent(segment)}`).join("")
