/** The oldest major version of Node.js that is supported, and the newest that npm offers, as commands. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { readManifest, root, run } from "../workspace.mjs"

/** Installs a Node.js by npm, where its releases are packages. */
const install = (folder, version) => {
  mkdirSync(folder)
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }))
  const { printed, status } = run("npm", ["install", "--no-audit", "--no-fund", `node@${version}`], { cwd: folder })
  if (status !== 0) throw new Error(`Node.js ${version} does not install:\n${printed}`)
  return join(folder, "node_modules/node/bin")
}

/** Each Node.js that is tried, with the folder of its command. */
export const nodes = (folder) => {
  mkdirSync(folder)
  const [oldest] = /\d+/.exec(readManifest(root).engines.node)
  const own = process.versions.node.split(".")[0]
  const bins = [
    own === oldest ? join(process.execPath, "..") : install(join(folder, oldest), oldest),
    install(join(folder, "newest"), "latest"),
  ]
  return bins.map((bin) => {
    const { printed, status, stdout } = run(join(bin, "node"), ["--version"])
    // npm may have been told to run no install scripts, and that of Node.js brings its binary.
    if (status !== 0) throw new Error(`There is no Node.js in ${bin}: ${printed}`)
    return { bin, version: stdout.trim() }
  })
}
