/**
 * `pnpm api [PACKAGE…]`: writes the API report of each library, `packages/X/api.md`, from what was built. With `--check` it
 * writes nothing, and fails where a report is not what the types now are; with `--since=COMMIT` also where a report has changed
 * since then and the changesets that have come since do not say so.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { parseArgs } from "node:util"
import { complaints } from "./api-kind.mjs"
import { libraries } from "./api-modules.mjs"
import { report } from "./api-report.mjs"
import { scratch } from "./copy.mjs"
import { root, run } from "./workspace.mjs"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { check: { type: "boolean" }, since: { type: "string" } },
})
const { check, since } = values
const asked = libraries.filter(({ manifest }) => positionals.length === 0 || positionals.includes(manifest.name))

const read = (path) => (existsSync(path) ? readFileSync(path, "utf8") : "")

/** A file of this repository as it was at `since`; none where it was not. */
const readThen = (path) => {
  const { status, stdout } = run("git", ["show", `${since}:${relative(root, path).replaceAll("\\", "/")}`])
  return status === 0 ? stdout : undefined
}

/** The changesets since then, one for each package that they name. */
const changesets = () => {
  const folder = join(root, ".changeset")
  return readdirSync(folder)
    .filter((file) => file.endsWith(".md") && readThen(join(folder, file)) === undefined)
    .flatMap((file) => {
      const [, front = "", text = ""] =
        /^---\n(.*?)\n?---\n(.*)$/s.exec(read(join(folder, file)).replaceAll("\r", "")) ?? []
      return [...front.matchAll(/^["']?([^"':]+)["']?: *(major|minor|patch)/gm)].map(([, name, kind]) => ({
        name,
        kind,
        text: text.trim(),
      }))
    })
}

const differences = (path, now) => {
  const file = join(scratch("api"), "api.md")
  writeFileSync(file, now)
  const { stdout } = run("git", ["diff", "--no-index", "--", existsSync(path) ? path : "/dev/null", file])
  return stdout
    .slice(Math.max(stdout.indexOf("@@"), 0))
    .trimEnd()
    .split("\n")
}

/** What is to be said against a package: lines, none where all is well. */
const hold = ({ folder, manifest }, pending) => {
  const path = join(folder, "api.md")
  const now = report({ folder, manifest })
  if (now !== read(path))
    return [
      ...differences(path, now),
      "The types have changed, and the report of them has not. Run `pnpm api`, and add a changeset: where a line is gone or",
      "changed, or new in what was there and cannot be left out, a breaking one (`minor` before 1.0, beginning with",
      "**Breaking:**), where lines are only new, `minor`.",
    ]
  if (since === undefined) return []
  const manifestThen = readThen(join(folder, "package.json"))
  const version = manifestThen === undefined ? "0.0.0" : JSON.parse(manifestThen).version
  // Between a new version and its tag, the changesets are in the changelog.
  if (manifestThen !== undefined && version !== manifest.version) return []
  const own = pending.filter(({ name }) => name === manifest.name)
  return complaints({ after: now, before: readThen(path), changesets: own, version })
}

if (!check) for (const library of asked) writeFileSync(join(library.folder, "api.md"), report(library))
else {
  const pending = since === undefined ? [] : changesets()
  const failed = asked.filter((library) => {
    const lines = hold(library, pending)
    console.log(`${lines.length === 0 ? "ok  " : "FAIL"} ${library.manifest.name}`)
    for (const line of lines) console.log(`     ${line}`)
    return lines.length > 0
  })
  process.exitCode = failed.length === 0 ? 0 : 1
}
