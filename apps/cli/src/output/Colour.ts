/** Colour of a terminal's text, around text that is measured already. */

/** What a text can look like, and how a terminal is told (ECMA-48, SGR). */
const codes = { bold: "1", dim: "2", red: "31", yellow: "33" }

/** How a text looks. */
export type Colour = keyof typeof codes

/** The text in this colour; as it is where there is none, or nothing of it. */
export const paint = (text: string, colour: Colour | undefined): string =>
  colour === undefined || text === "" ? text : `\u001b[${codes[colour]}m${text}\u001b[0m`
