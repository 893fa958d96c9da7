/**
 * `pnpm package:lint`: packs every package and holds its tarball to publint, to attw, to what belongs in it, and its manifest to what the
 * root's says of the repository.
 */
import { isDeepStrictEqual } from "node:util"
import { relative } from "node:path"
import { scratch } from "./copy.mjs"
import { pack } from "./tarballs.mjs"
import { readManifest, root, run, tool } from "./workspace.mjs"

/** What has no place in a tarball. */
const stray = /(^|\/)(test|examples|bench|node_modules|\.tsbuild|\.reports|\.turbo)\/|\.tsbuildinfo$|\.test\./

/** What has to be there. A command is a bundle, and holds the licences of what is in it. */
const needed = ["package/package.json", "package/README.md", "package/LICENSE", "package/dist/"]
const neededOfCommand = ["package/dist/bin.js", "package/dist/THIRD_PARTY.txt", "package/dist/help.txt"]

/** Where a package lives, as its manifest has to say it: the root manifest is the one place of truth. */
const whereabouts = (folder) => {
  const { bugs, license, repository } = readManifest(root)
  const directory = relative(root, folder)
  const pages = repository.url.replace(/^git\+|\.git$/g, "")
  return { bugs, homepage: `${pages}/tree/main/${directory}#readme`, license, repository: { ...repository, directory } }
}

const checks = {
  manifest: ({ folder, manifest }) => {
    const wrong = Object.entries(whereabouts(folder))
      .filter(([field, value]) => !isDeepStrictEqual(manifest[field], value))
      .map(([field, value]) => `its ${field} should be ${JSON.stringify(value)}`)
    return { status: wrong.length, printed: wrong.join("\n") }
  },
  publint: ({ tarball }) => tool("publint", ["run", "--strict", tarball]),
  // A command exports nothing that has types.
  attw: ({ manifest, tarball }) =>
    manifest.bin === undefined ? tool("attw", [tarball, "--profile", "esm-only"]) : { status: 0, printed: "" },
  files: ({ manifest, tarball }) => {
    const files = run("tar", ["-tzf", tarball]).stdout.trim().split("\n")
    const wrong = files.filter((file) => stray.test(file)).map((file) => `does not belong: ${file}`)
    const missing = [...needed, ...(manifest.bin === undefined ? [] : neededOfCommand)]
      .filter((start) => !files.some((file) => file.startsWith(start)))
      .map((start) => `is missing: ${start}`)
    return { status: wrong.length + missing.length, printed: [...wrong, ...missing].join("\n") }
  },
}

let failures = 0
for (const member of pack(scratch("lint"))) {
  const failed = Object.entries(checks)
    .map(([name, check]) => ({ name, ...check(member) }))
    .filter(({ status }) => status !== 0)
  failures += failed.length
  console.log(`${failed.length === 0 ? "ok  " : "FAIL"} ${member.manifest.name}`)
  for (const { name, printed } of failed) console.log(`${name}:\n${printed}`)
}
process.exit(failures === 0 ? 0 : 1)
