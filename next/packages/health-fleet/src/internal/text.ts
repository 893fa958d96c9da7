/** Texts for columns. */

/** Postgres stores no NUL characters, and its driver replaces unpaired surrogates. */
export const text = (value: string): string => value.replace(/\0|\p{Cs}/gu, "\uFFFD")

/** Keeps different texts different. */
export const key = (value: string): string => JSON.stringify(value).slice(1, -1)
