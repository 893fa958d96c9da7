/**
 * `pnpm layers [FOLDER]`: checks that imports follow docs/architecture.md, in this repository or in a copy of it. Three
 * tools hold it together: `turbo boundaries` (tags, and files that leave their package), oxlint (what each `src` may
 * import), and knip in production mode (what each `src` imports is a dependency).
 */
import { resolve } from "node:path"
import { root, tool } from "./workspace.mjs"

const cwd = resolve(process.argv[2] ?? root)

const checks = [
  ["turbo", ["boundaries"]],
  ["oxlint", ["--deny-warnings", "packages", "apps"]],
  ["knip", ["--production", "--strict"]],
]

const failed = checks.filter(([name, args]) => {
  const { printed, status } = tool(name, args, { cwd })
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${name} ${args.join(" ")}`)
  if (status !== 0) console.log(printed)
  return status !== 0
})

process.exit(failed.length === 0 ? 0 : 1)
