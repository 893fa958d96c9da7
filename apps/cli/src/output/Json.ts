/** JSON for a pipe or a terminal: the same value, and nothing in it that a terminal would obey. */

/** What a terminal may act on or hide, beyond the controls that JSON escapes anyway. */
const active = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Whether a terminal may act on something in a text, or hide it. */
// oxlint-disable-next-line no-control-regex -- These are what it looks for.
export const isActive = (text: string): boolean => /[\u0000-\u0008\u000b-\u001f]/.test(text) || text.search(active) >= 0

/** The same text of a quoted string, with what a terminal may act on as escapes. */
export const escape = (text: string): string =>
  text.replace(active, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** What `print` returns; nothing if the value is nested too deeply for it. `JSON.stringify` and YAML are recursive. */
export const unlessDeep = <A>(print: () => A): A | undefined => {
  try {
    return print()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** A value as JSON, on one line; nothing if it is nested too deeply. */
export const line = (value: unknown): string | undefined => unlessDeep(() => escape(JSON.stringify(value)))

/** A value as JSON within a text for people. */
export const text = (value: unknown): string => line(value) ?? "(nested too deeply to print)"
