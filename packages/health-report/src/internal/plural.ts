/** Counts in sentences. */

/** A count with its noun: `1 page`, `2 pages`. */
export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`
