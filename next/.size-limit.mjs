/** Bundle sizes: the `.size-limit.json` of each package that has one. `ignore` in an entry leaves out what is not ours. */
import { existsSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { libraries, root } from "./scripts/workspace.mjs"

export default libraries
  .filter(({ folder }) => existsSync(join(folder, ".size-limit.json")))
  .flatMap(({ folder }) =>
    JSON.parse(readFileSync(join(folder, ".size-limit.json"), "utf8")).map((entry) => ({
      gzip: true,
      // Imports that are ignored stay imports: another format would count a shim for `require`.
      modifyEsbuildConfig: (config) => ({ ...config, format: "esm" }),
      ...entry,
      path: relative(root, join(folder, entry.path)),
    })),
  )
