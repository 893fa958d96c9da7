/** Lines as a shell reads them. */

/** The words of a line: apart at spaces, but within quotes. */
export const split = (line: string): ReadonlyArray<string> =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|[^ '"]+/g)].map(([word, single, double]) => single ?? double ?? word)
