/** Flags of Node.js to run a script that imports the source. */
export const sourceArgs: ReadonlyArray<string> = [
  "--conditions=@vigil/source",
  `--import=${new URL("sourceHooks.ts", import.meta.url).href}`,
]
