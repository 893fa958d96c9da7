/** Parses command lines. */

/** Splits a line into words, at spaces outside quotes. */
export const split = (line: string): ReadonlyArray<string> =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|[^ '"]+/g)].map(([word, single, double]) => single ?? double ?? word)
