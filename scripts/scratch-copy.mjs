/** A copy of this repository in which something can be broken, with what is installed, and a git of its own. */
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { members, root, run } from "./workspace.mjs"

/** Makes it; it is gone when this process is. */
export const copyRepository = (name) => {
  const scratch = mkdtempSync(join(tmpdir(), `vigil-${name}-`))
  process.on("exit", () => rmSync(scratch, { recursive: true, force: true }))

  const files = run("git", ["ls-files", "-co", "--exclude-standard", "-z"])
    .stdout.split("\0")
    .filter((file) => file !== "")
  for (const file of files) if (existsSync(join(root, file))) cpSync(join(root, file), join(scratch, file))
  for (const folder of [root, join(root, "docs"), ...members.map(({ folder }) => folder)]) {
    const modules = join(folder, "node_modules")
    if (existsSync(modules)) symlinkSync(modules, join(scratch, relative(root, modules)))
  }
  run("git", ["init", "--quiet"], { cwd: scratch })
  return scratch
}
