/** Counts and lists in sentences. */

/** Returns a count with its noun: `1 page`, `2 pages`. @category conversions @since 0.2.0 */
export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`

/** Returns `a`, `a and b`, or `a, b and c`. `word` joins the last two. @category conversions @since 0.2.0 */
export const enumerate = (texts: ReadonlyArray<string>, word = "and"): string =>
  texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} ${word} ${texts.at(-1)}`

/** Returns the first texts, and how many more there are: `a, b, c and 2 more`. @category conversions @since 0.3.0 */
export const enumerateSome = (texts: ReadonlyArray<string>, most = 3): string =>
  enumerate(texts.length > most ? [...texts.slice(0, most), `${texts.length - most} more`] : texts)
