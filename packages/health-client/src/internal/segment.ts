/** One segment of a path: what may stand in it, and how it is written. */

/** What ends a segment, escapes out of it, stands for another one, or is no text. */
const forbidden = /[/\\?#%\p{Cc}\p{Cs}]/u

/** Whether `text` can be exactly one segment. */
export const isSegment = (text: string): boolean =>
  text !== "" && text !== "." && text !== ".." && !forbidden.test(text)

/** A path of segments, each encoded. */
export const path = (segments: ReadonlyArray<string>): string =>
  segments.map((segment) => `/${encodeURIComponent(segment)}`).join("")
