/** JSON for a pipe or a terminal: the same value, and nothing in it that a terminal would obey. */

/** What a terminal may act on or hide, beyond the controls that JSON escapes anyway. */
const active = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** A value as JSON, on one line. */
export const line = (value: unknown): string =>
  JSON.stringify(value).replace(active, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
