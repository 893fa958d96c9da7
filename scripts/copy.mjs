/** Copies of this repository as it stands, uncommitted changes included, for checks that change what they check. */
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { files, members, root, run } from "./workspace.mjs"

/** A folder that is gone when the process ends. */
export const scratch = (name) => {
  const folder = mkdtempSync(join(tmpdir(), `vigil-${name}-`))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** Copies every file that git knows, or would take up, as long as it is there. */
export const copyFiles = (folder) => {
  for (const file of files()) cpSync(join(root, file), join(folder, file))
}

/** Lends a copy what is installed here. */
export const linkModules = (folder) => {
  for (const place of [root, join(root, "docs"), join(root, "bench"), ...members.map((member) => member.folder)]) {
    const modules = join(place, "node_modules")
    if (existsSync(modules)) symlinkSync(modules, join(folder, relative(root, modules)))
  }
}

/** Runs git in a copy, and fails when git does. */
export const git = (cwd, ...args) => {
  const { printed, status, stdout } = run("git", args, { cwd })
  if (status !== 0) throw new Error(`git ${args.join(" ")} fails:\n${printed}`)
  return stdout.trim()
}

/** Commits all that a copy holds. */
export const commit = (folder, message) => {
  git(folder, "add", "--all")
  git(folder, "commit", "--quiet", "--allow-empty", "--no-verify", "--message", message)
}

/**
 * Copies the repository with its history; what is not committed here is a commit there. It has no remote to push to, and no tag; it leaves alone
 * what a check lends to it or sets in it.
 */
export const copyWithHistory = (folder) => {
  git(root, "clone", "--quiet", "--no-hardlinks", "--no-tags", root, folder)
  git(folder, "remote", "remove", "origin")
  for (const [name, value] of [
    ["user.name", "Scratch"],
    ["user.email", "scratch@localhost"],
    ["commit.gpgSign", "false"],
    ["tag.gpgSign", "false"],
  ])
    git(folder, "config", name, value)
  writeFileSync(join(folder, ".git/info/exclude"), "node_modules\n.npmrc\n")
  git(folder, "rm", "-r", "--quiet", ".")
  copyFiles(folder)
  commit(folder, "The tree as it stands")
}
