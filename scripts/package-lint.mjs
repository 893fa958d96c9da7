/**
 * `pnpm package:lint`: packs every package and holds its tarball to publint, to attw, to what belongs in it and to its source
 * maps leading somewhere, and its manifest to what the root's says of the repository.
 */
import { readFileSync } from "node:fs"
import { join, posix, relative } from "node:path"
import { isDeepStrictEqual } from "node:util"
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

/** The files of a tarball, by their paths in it. */
const list = (tarball) => run("tar", ["-tzf", tarball]).stdout.trim().split("\n")

/** The sources of a map, by their paths in the tarball, that are neither there nor held by the map itself. */
const nowhere = (file, { sourceRoot = "", sources, sourcesContent = [] }, files) =>
  sources
    .filter((_, index) => typeof sourcesContent[index] !== "string")
    .map((source) => posix.join(posix.dirname(file), sourceRoot, source))
    .filter((source) => !files.includes(source))

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
  files: ({ files, manifest }) => {
    const wrong = files.filter((file) => stray.test(file)).map((file) => `does not belong: ${file}`)
    const missing = [...needed, ...(manifest.bin === undefined ? [] : neededOfCommand)]
      .filter((start) => !files.some((file) => file.startsWith(start)))
      .map((start) => `is missing: ${start}`)
    return { status: wrong.length + missing.length, printed: [...wrong, ...missing].join("\n") }
  },
  maps: ({ files, tarball }) => {
    const folder = scratch("maps")
    const { printed, status } = run("tar", ["-xzf", tarball, "-C", folder])
    if (status !== 0) return { status, printed }
    const wrong = files
      .filter((file) => file.endsWith(".map"))
      .flatMap((file) =>
        nowhere(file, JSON.parse(readFileSync(join(folder, file), "utf8")), files).map(
          (source) => `${file} leads nowhere: ${source}`,
        ),
      )
    return { status: wrong.length, printed: wrong.join("\n") }
  },
}

let failures = 0
for (const packed of pack(scratch("lint"))) {
  const member = { ...packed, files: list(packed.tarball) }
  const failed = Object.entries(checks)
    .map(([name, check]) => ({ name, ...check(member) }))
    .filter(({ status }) => status !== 0)
  failures += failed.length
  console.log(`${failed.length === 0 ? "ok  " : "FAIL"} ${member.manifest.name}`)
  for (const { name, printed } of failed) console.log(`${name}:\n${printed}`)
}
process.exit(failures === 0 ? 0 : 1)
