/** The Markdown of this repository: every document that is, or could be, committed. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { files, root } from "./workspace.mjs"

/** Every document, with its text. */
export const documents = files()
  .filter((file) => file.endsWith(".md"))
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }))
