/** The Markdown of this repository: every document that is, or could be, committed. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root, run } from "./workspace.mjs"

/** Every file that git knows or would take, by its path from the root. */
export const files = run("git", ["ls-files", "-co", "--exclude-standard", "-z"])
  .stdout.split("\0")
  .filter((file) => file !== "" && existsSync(join(root, file)))

/** Every document, with its text. */
export const documents = files
  .filter((file) => file.endsWith(".md"))
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }))
